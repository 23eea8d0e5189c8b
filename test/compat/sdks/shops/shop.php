<?php
// A shop that retries once after a lost answer. Usage: shop.php <url> <merchant> same-id|new-id
[, $url, $merchant, $habit] = $argv;

$card = ['number' => '4417119669820331', 'type' => 'visa', 'expire_month' => '11', 'expire_year' => '2031'];
$payment = json_encode([
    'intent' => 'sale',
    'payer' => ['payment_method' => 'credit_card', 'funding_instruments' => [['credit_card' => $card]]],
    'transactions' => [['amount' => ['total' => '30.11', 'currency' => 'USD'], 'custom' => 'order-7']],
]);

function pay(string $requestId): ?array
{
    global $url, $merchant, $payment;
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => "Authorization: Bearer sandbox.$merchant\r\nContent-Type: application/json\r\nPayPal-Request-Id: $requestId",
        'content' => $payment,
        'ignore_errors' => true,
    ]]);
    $answer = @file_get_contents("$url/v1/payments/payment", false, $context);
    return $answer === false ? null : json_decode($answer, true);
}

$firstId = bin2hex(random_bytes(16));
$answer = pay($firstId) ?? pay($habit === 'same-id' ? $firstId : bin2hex(random_bytes(16)));
echo $answer['transactions'][0]['related_resources'][0]['sale']['state'], "\n";
