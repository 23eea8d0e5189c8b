<?php
// A shop's payment tests with PHPUnit. Run them with `phpunit ShopTest.php`.

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

final class ShopTest extends TestCase
{
    private Shop $shop;

    protected function setUp(): void
    {
        $this->shop = new Shop();
    }

    public function testPays(): void
    {
        $payment = $this->shop->pay();

        self::assertSame(201, $payment->status);
        $sale = $payment->body['transactions'][0]['related_resources'][0]['sale'];
        self::assertSame('completed', $sale['state']);
    }

    public function testIsDeclined(): void
    {
        $this->shop->sandbox('rules', ['op' => 'payment.create', 'outcome' => 'decline-insufficient-funds']);

        $refusal = $this->shop->pay();

        self::assertSame(400, $refusal->status);
        self::assertSame('INSTRUMENT_DECLINED', $refusal->body['name']);
    }

    public function testChargesOnceWhenTheAnswerIsLost(): void
    {
        $this->shop->sandbox('rules', ['op' => 'payment.create', 'outcome' => 'reset-after-commit']);
        $key = bin2hex(random_bytes(16));

        try {
            $this->shop->pay($key);
            self::fail('An answer came.');
        } catch (NoAnswer) {
            $again = $this->shop->pay($key);
        }

        self::assertSame(201, $again->status);
        self::assertContains('Sandbox-Replayed: true', $again->headers);
        self::assertTrue($this->shop->sandbox('verdict', [])['passed']);
    }

    public function testIsAlone(): void
    {
        $other = new Shop();
        $before = count($other->payments());

        $this->shop->pay();

        self::assertCount($before + 1, $this->shop->payments());
        self::assertCount($before, $other->payments());
    }
}

/** One merchant's shop. The client id is the merchant, and each merchant has a world of its own: no test sees another. */
final class Shop
{
    private const PAYMENT = [
        'intent' => 'sale',
        'payer' => [
            'payment_method' => 'credit_card',
            'funding_instruments' => [['credit_card' => [
                'number' => '4417119669820331', 'type' => 'visa', 'expire_month' => '11', 'expire_year' => '2031',
            ]]],
        ],
        'transactions' => [['amount' => ['total' => '30.11', 'currency' => 'USD'], 'invoice_number' => 'INV-7']],
    ];

    private readonly string $merchant;
    private readonly string $bearer;

    public function __construct()
    {
        $this->merchant = 'php-' . bin2hex(random_bytes(8));
        $basic = 'Authorization: Basic ' . base64_encode("$this->merchant:any-secret");
        $token = self::call('POST', '/v1/oauth2/token', 'grant_type=client_credentials', [$basic]);
        $this->bearer = "Authorization: Bearer {$token->body['access_token']}";
    }

    public function pay(?string $requestId = null): Answer
    {
        $headers = $requestId === null ? [] : ["PayPal-Request-Id: $requestId"];
        return self::call('POST', '/v1/payments/payment', self::PAYMENT, [$this->bearer, ...$headers]);
    }

    public function payments(): array
    {
        return self::call('GET', '/v1/payments/payment?count=20', null, [$this->bearer])->body['payments'];
    }

    /** What only the tests call, never the shop. */
    public function sandbox(string $verb, array $body): array
    {
        return self::call('POST', "/_sandbox/$verb?merchant=$this->merchant", $body)->body;
    }

    /** Sends JSON, or a form where the body is text. */
    private static function call(string $method, string $path, array|string|null $body, array $headers = []): Answer
    {
        $kind = is_string($body) ? 'application/x-www-form-urlencoded' : 'application/json';
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [...$headers, "Content-Type: $kind"],
            'content' => is_array($body) ? json_encode($body ?: new stdClass()) : (string) $body,
            'ignore_errors' => true,
            'timeout' => 10,
        ]]);
        $base = getenv('VAULT_URL') ?: 'http://localhost:3000';
        $text = @file_get_contents($base . $path, false, $context);
        if ($text === false || !isset($http_response_header)) {
            throw new NoAnswer();
        }
        [, $status] = explode(' ', $http_response_header[0]);
        return new Answer((int) $status, $http_response_header, json_decode($text, true));
    }
}

final class Answer
{
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly array $body,
    ) {
    }
}

final class NoAnswer extends RuntimeException
{
}
