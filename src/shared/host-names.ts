/** Which names and addresses can be listened on, certified and allowed. */
/** As browsers write it, apart from upper and lower case. */
export const hostNameForm = /^[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?$/i;

/** What a sandbox can listen on. A Unix socket would need another kind of base URL than clients accept. */
export const listenHostWords =
  'a host name or an IP address, such as 127.0.0.1 or ::1; Unix sockets are not served';

/** Whether a text can be an address to listen on. It may be an IPv6 address in the form of URLs. */
export function isListenHost(host: string): boolean {
  return !/[/\\@\s]|^unix:/i.test(host);
}

/** Whether a certificate can be made for this name or address. */
export function isCertificateHost(host: string): boolean {
  if (host.includes(':')) return URL.canParse(`http://[${host}]`);
  return hostNameForm.test(host.replace(/^\*\./, ''));
}
