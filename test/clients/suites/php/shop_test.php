<?php
// A shop's payment tests. Run them with `php shop_test.php`; the functions fit PHPUnit's test methods as they are.

declare(strict_types=1);

const PAYMENT = [
    'intent' => 'sale',
    'payer' => [
        'payment_method' => 'credit_card',
        'funding_instruments' => [['credit_card' => [
            'number' => '4417119669820331', 'type' => 'visa', 'expire_month' => '11', 'expire_year' => '2031',
        ]]],
    ],
    'transactions' => [['amount' => ['total' => '30.11', 'currency' => 'USD'], 'invoice_number' => 'INV-7']],
];

final class Answer
{
    public function __construct(
        public readonly int $status,
        public readonly string $headers,
        public readonly array $body,
    ) {
    }
}

/** Sends JSON, or a form where the body is text. Throws where no answer comes. */
function call(string $method, string $path, array|string|null $body = null, array $headers = []): Answer
{
    $kind = is_string($body) ? 'application/x-www-form-urlencoded' : 'application/json';
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => [...$headers, "Content-Type: $kind"],
        'content' => is_array($body) ? json_encode($body ?: new stdClass()) : (string) $body,
        'ignore_errors' => true,
        'timeout' => 10,
    ]]);
    $base = getenv('SANDBOX_URL') ?: 'http://localhost:3000';
    $text = @file_get_contents($base . $path, false, $context);
    if ($text === false || !isset($http_response_header)) {
        throw new RuntimeException('No answer came.');
    }
    [, $status] = explode(' ', $http_response_header[0]);
    return new Answer((int) $status, implode("\n", $http_response_header), json_decode($text, true));
}

/** One merchant's shop. The client id is the merchant, and each merchant has a world of its own: no test sees another. */
final class Shop
{
    public readonly string $merchant;
    private readonly string $bearer;

    public function __construct()
    {
        $this->merchant = 'php-' . bin2hex(random_bytes(8));
        $basic = 'Authorization: Basic ' . base64_encode("$this->merchant:any-secret");
        $token = call('POST', '/v1/oauth2/token', 'grant_type=client_credentials', [$basic]);
        $this->bearer = "Authorization: Bearer {$token->body['access_token']}";
    }

    public function pay(string ...$headers): Answer
    {
        return call('POST', '/v1/payments/payment', PAYMENT, [$this->bearer, ...$headers]);
    }

    public function payments(): array
    {
        return call('GET', '/v1/payments/payment?count=20', null, [$this->bearer])->body['payments'];
    }

    /** What only the tests call, never the shop. */
    public function sandbox(string $verb, array $body): array
    {
        return call('POST', "/_sandbox/$verb?merchant=$this->merchant", $body)->body;
    }
}

function same(mixed $expected, mixed $seen): void
{
    if ($expected !== $seen) {
        throw new LogicException(json_encode($seen) . ' is not ' . json_encode($expected));
    }
}

$tests = [
    'pays' => function (Shop $shop): void {
        $payment = $shop->pay();
        same(201, $payment->status);
        same('completed', $payment->body['transactions'][0]['related_resources'][0]['sale']['state']);
    },
    'is declined' => function (Shop $shop): void {
        $shop->sandbox('rules', ['op' => 'payment.create', 'outcome' => 'decline-insufficient-funds']);
        $refusal = $shop->pay();
        same([400, 'INSTRUMENT_DECLINED'], [$refusal->status, $refusal->body['name']]);
    },
    'charges once when the answer is lost' => function (Shop $shop): void {
        $shop->sandbox('rules', ['op' => 'payment.create', 'outcome' => 'reset-after-commit']);
        $key = 'PayPal-Request-Id: ' . bin2hex(random_bytes(8));
        try {
            $shop->pay($key);
            throw new LogicException('An answer came.');
        } catch (RuntimeException) {
            $again = $shop->pay($key);
        }
        same([201, true], [$again->status, str_contains($again->headers, 'Sandbox-Replayed: true')]);
        same(true, $shop->sandbox('verdict', [])['passed']);
    },
    'is alone' => function (Shop $shop): void {
        $before = count((new Shop())->payments());
        $shop->pay();
        same($before + 1, count($shop->payments()));
        same($before, count((new Shop())->payments()));
    },
];

foreach ($tests as $name => $test) {
    $test(new Shop());
    echo "ok $name\n";
}
