/** The headers of eight clients, as they send them (contract.md §14.6-14.8). */
import type { Habits } from './raw-client.ts';

const jsonType = 'Content-Type: application/json';
const formType = 'Content-Type: application/x-www-form-urlencoded';

export const python: Habits = {
  name: 'python',
  headers: [
    'User-Agent: PayPalSDK/PayPal-Python-SDK 1.13.1 (requests 2.31.0; python 3.11.7)',
    'Accept-Encoding: gzip, deflate',
    'Accept: application/json',
    'Connection: keep-alive',
    jsonType,
  ],
  tokenHeaders: [
    'User-Agent: PayPalSDK/PayPal-Python-SDK 1.13.1 (requests 2.31.0; python 3.11.7)',
    'Accept-Encoding: gzip, deflate',
    'Accept: application/json',
    'Connection: keep-alive',
    formType,
  ],
};

export const ruby: Habits = {
  name: 'ruby',
  headers: [
    'User-Agent: PayPalSDK/PayPal-Ruby-SDK 1.7.4 (paypal-sdk-core 1.7.4; ruby 2.7.8p225-x86_64-linux)',
    jsonType,
    'Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
    'Accept: */*',
    'Connection: close',
  ],
  tokenHeaders: [
    formType,
    'Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
    'Accept: */*',
    'Connection: close',
  ],
};

export const php: Habits = {
  name: 'php',
  headers: [
    'User-Agent: PayPalSDK/PayPal-PHP-SDK 1.14.0 (lang=PHP; v=8.2; bit=64; os=Linux)',
    'Accept: */*',
    jsonType,
  ],
  tokenHeaders: [
    'User-Agent: PayPalSDK/PayPal-PHP-SDK 1.14.0 (lang=PHP; v=8.2; bit=64; os=Linux)',
    'Accept: */*',
    formType,
  ],
};

export const java: Habits = {
  name: 'java',
  headers: [
    jsonType,
    'User-Agent: PayPalSDK/PayPal-Java-SDK 1.14.0 (lang=Java; v=17.0.15; bit=64; os=Linux)',
    'Accept: text/html, image/gif, image/jpeg, */*; q=0.2',
    'Connection: keep-alive',
  ],
  tokenHeaders: [
    formType,
    'Accept: text/html, image/gif, image/jpeg, */*; q=0.2',
    'Connection: keep-alive',
  ],
};

/** Sends no Accept at all. */
export const dotnet: Habits = {
  name: 'dotnet',
  headers: [
    jsonType,
    'User-Agent: PayPalSDK/PayPal-NET-SDK 1.9.1 (lang=DotNET; v=4.8; bit=64)',
    'Connection: Keep-Alive',
  ],
  tokenHeaders: [formType, 'Connection: Keep-Alive'],
};

/** No SDK: `HttpClient` with the `JsonContent` that .NET has had since version 5. */
export const httpClient: Habits = {
  name: 'httpclient',
  headers: ['Content-Type: application/json; charset=utf-8'],
  tokenHeaders: ['Content-Type: application/x-www-form-urlencoded; charset=us-ascii'],
  chunksJson: true,
};

export const go: Habits = {
  name: 'go',
  headers: [
    'User-Agent: Go-http-client/1.1',
    'Accept: application/json',
    'Accept-Language: en_US',
    'Content-Type: application/json',
    'Accept-Encoding: gzip',
  ],
  tokenHeaders: [
    'User-Agent: Go-http-client/1.1',
    'Accept: application/json',
    'Accept-Language: en_US',
    formType,
    'Accept-Encoding: gzip',
  ],
};

/** Its token request has no Content-Type. */
export const omnipay: Habits = {
  name: 'omnipay',
  headers: ['Accept: application/json', jsonType],
  tokenHeaders: ['Accept: application/json'],
};
