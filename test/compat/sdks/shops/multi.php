<?php
// A shop that sends two payments at once with curl_multi. Usage: multi.php <url> <merchant> double-click|two-sellers
[, $url, $merchant, $habit] = $argv;

$card = ['number' => '4417119669820331', 'type' => 'visa', 'expire_month' => '11', 'expire_year' => '2031'];

function prepare(string $description): CurlHandle
{
    global $url, $merchant, $card;
    $transaction = ['amount' => ['total' => '30.11', 'currency' => 'USD'], 'custom' => 'order-7'];
    $handle = curl_init("$url/v1/payments/payment");
    curl_setopt_array($handle, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => [
            "Authorization: Bearer sandbox.$merchant",
            'Content-Type: application/json',
            'PayPal-Request-Id: ' . bin2hex(random_bytes(16)),
        ],
        CURLOPT_POSTFIELDS => json_encode([
            'intent' => 'sale',
            'payer' => ['payment_method' => 'credit_card', 'funding_instruments' => [['credit_card' => $card]]],
            'transactions' => [$transaction + ['description' => $description]],
        ]),
    ]);
    return $handle;
}

$handles = array_map('prepare', $habit === 'double-click' ? ['a hat', 'a hat'] : ['seller A', 'seller B']);
$multi = curl_multi_init();
foreach ($handles as $handle) {
    curl_multi_add_handle($multi, $handle);
}
do {
    curl_multi_exec($multi, $running);
    curl_multi_select($multi);
} while ($running > 0);
$answer = json_decode(curl_multi_getcontent($handles[0]), true);
echo $answer['transactions'][0]['related_resources'][0]['sale']['state'], "\n";
