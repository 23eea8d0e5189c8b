// A shop's payment tests with xUnit. Run them with `dotnet test`.

using System;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;
using Xunit;

public sealed class ShopTests : IAsyncLifetime
{
    static readonly Uri Base =
        new(Environment.GetEnvironmentVariable("SANDBOX_URL") ?? "http://localhost:3000");

    static readonly object Payment = new
    {
        intent = "sale",
        payer = new
        {
            payment_method = "credit_card",
            funding_instruments = new[]
            {
                new { credit_card = new { number = "4417119669820331", type = "visa", expire_month = "11", expire_year = "2031" } },
            },
        },
        transactions = new[] { new { amount = new { total = "30.11", currency = "USD" }, invoice_number = "INV-7" } },
    };

    readonly HttpClient client = new() { BaseAddress = Base };

    // The client id is the merchant, and each merchant has a world of its own: no test sees another.
    readonly string merchant = $"dotnet-{Guid.NewGuid()}";
    string bearer = "";

    public async Task InitializeAsync()
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "/v1/oauth2/token")
        {
            Content = new StringContent("grant_type=client_credentials", Encoding.ASCII, "application/x-www-form-urlencoded"),
        };
        var basic = Convert.ToBase64String(Encoding.ASCII.GetBytes($"{merchant}:any-secret"));
        request.Headers.Authorization = new AuthenticationHeaderValue("Basic", basic);
        var token = await Body(await client.SendAsync(request));
        bearer = token.GetProperty("access_token").GetString()!;
    }

    public Task DisposeAsync()
    {
        client.Dispose();
        return Task.CompletedTask;
    }

    [Fact]
    public async Task Pays()
    {
        var answer = await Pay();
        Assert.Equal(HttpStatusCode.Created, answer.StatusCode);
        var resources = (await Body(answer)).GetProperty("transactions")[0].GetProperty("related_resources");
        Assert.Equal("completed", resources[0].GetProperty("sale").GetProperty("state").GetString());
    }

    [Fact]
    public async Task IsDeclined()
    {
        await Sandbox("rules", new { op = "payment.create", outcome = "decline-insufficient-funds" });
        var answer = await Pay();
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        Assert.Equal("INSTRUMENT_DECLINED", (await Body(answer)).GetProperty("name").GetString());
    }

    [Fact]
    public async Task ChargesOnceWhenTheAnswerIsLost()
    {
        await Sandbox("rules", new { op = "payment.create", outcome = "reset-after-commit" });
        var key = Guid.NewGuid().ToString();
        await Assert.ThrowsAsync<HttpRequestException>(() => Pay(key));
        var answer = await Pay(key);
        Assert.Equal(HttpStatusCode.Created, answer.StatusCode);
        Assert.Equal(new[] { "true" }, answer.Headers.GetValues("Sandbox-Replayed"));
        Assert.True((await Sandbox("verdict", new { })).GetProperty("passed").GetBoolean());
    }

    [Fact]
    public async Task IsAlone()
    {
        var id = (await Body(await Pay())).GetProperty("id").GetString();
        Assert.Equal(HttpStatusCode.OK, (await Show(id!, bearer)).StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, (await Show(id!, "sandbox.dotnet-other")).StatusCode);
    }

    Task<HttpResponseMessage> Pay(string? requestId = null)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "/v1/payments/payment") { Content = JsonContent.Create(Payment) };
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", bearer);
        if (requestId != null) request.Headers.Add("PayPal-Request-Id", requestId);
        return client.SendAsync(request);
    }

    Task<HttpResponseMessage> Show(string id, string token)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, $"/v1/payments/payment/{id}");
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        return client.SendAsync(request);
    }

    // What only the tests call, never the shop.
    async Task<JsonElement> Sandbox(string verb, object body) =>
        await Body(await client.PostAsJsonAsync($"/_sandbox/{verb}?merchant={merchant}", body));

    static Task<JsonElement> Body(HttpResponseMessage answer) =>
        answer.Content.ReadFromJsonAsync<JsonElement>();
}
