// A shop's payment tests with NUnit and Json.NET. Run them with `dotnet test`.

using System;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using NUnit.Framework;

[TestFixture]
public sealed class ShopTests
{
    [Test]
    public async Task Pays()
    {
        var shop = await Shop.Open();

        var answer = await shop.Pay();

        Assert.That(answer.StatusCode, Is.EqualTo(HttpStatusCode.Created));
        var sale = (await Shop.Body(answer)).SelectToken("transactions[0].related_resources[0].sale.state");
        Assert.That((string)sale, Is.EqualTo("completed"));
    }

    [Test]
    public async Task IsDeclined()
    {
        var shop = await Shop.Open();
        await shop.Sandbox("rules", new { op = "payment.create", outcome = "decline-insufficient-funds" });

        var answer = await shop.Pay();

        Assert.That(answer.StatusCode, Is.EqualTo(HttpStatusCode.BadRequest));
        Assert.That((string)(await Shop.Body(answer))["name"], Is.EqualTo("INSTRUMENT_DECLINED"));
    }

    [Test]
    public async Task ChargesOnceWhenTheAnswerIsLost()
    {
        var shop = await Shop.Open();
        await shop.Sandbox("rules", new { op = "payment.create", outcome = "reset-after-commit" });
        var key = Guid.NewGuid().ToString();

        Assert.That(async () => await shop.Pay(key), Throws.InstanceOf<HttpRequestException>());
        var answer = await shop.Pay(key);

        Assert.That(answer.StatusCode, Is.EqualTo(HttpStatusCode.Created));
        Assert.That(answer.Headers.GetValues("Sandbox-Replayed"), Is.EqualTo(new[] { "true" }));
        Assert.That((bool)(await shop.Sandbox("verdict", new { }))["passed"], Is.True);
    }

    [Test]
    public async Task IsAlone()
    {
        var shop = await Shop.Open();
        var id = (string)(await Shop.Body(await shop.Pay()))["id"];

        Assert.That((await shop.Show(id)).StatusCode, Is.EqualTo(HttpStatusCode.OK));
        Assert.That((await (await Shop.Open()).Show(id)).StatusCode, Is.EqualTo(HttpStatusCode.NotFound));
    }
}

/// <summary>One merchant's shop. The client id is the merchant, and each merchant has a world of its own: no test sees another.</summary>
public sealed class Shop
{
    static readonly HttpClient Client = new HttpClient
    {
        BaseAddress = new Uri(Environment.GetEnvironmentVariable("VAULT_URL") ?? "http://localhost:3000"),
    };

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

    readonly string merchant;
    readonly string token;

    Shop(string merchant, string token)
    {
        this.merchant = merchant;
        this.token = token;
    }

    public static async Task<Shop> Open()
    {
        var merchant = $"dotnet-{Guid.NewGuid()}";
        var request = new HttpRequestMessage(HttpMethod.Post, "/v1/oauth2/token")
        {
            Content = new StringContent("grant_type=client_credentials", Encoding.ASCII, "application/x-www-form-urlencoded"),
        };
        var basic = Convert.ToBase64String(Encoding.ASCII.GetBytes($"{merchant}:any-secret"));
        request.Headers.Authorization = new AuthenticationHeaderValue("Basic", basic);
        return new Shop(merchant, (string)(await Body(await Client.SendAsync(request)))["access_token"]);
    }

    public Task<HttpResponseMessage> Pay(string requestId = "")
    {
        var request = new HttpRequestMessage(HttpMethod.Post, "/v1/payments/payment") { Content = Json(Payment) };
        if (requestId != "") request.Headers.Add("PayPal-Request-Id", requestId);
        return Send(request);
    }

    public Task<HttpResponseMessage> Show(string id) =>
        Send(new HttpRequestMessage(HttpMethod.Get, $"/v1/payments/payment/{id}"));

    /// <summary>What only the tests call, never the shop.</summary>
    public async Task<JObject> Sandbox(string verb, object body) =>
        await Body(await Client.PostAsync($"/_sandbox/{verb}?merchant={merchant}", Json(body)));

    public static async Task<JObject> Body(HttpResponseMessage answer) =>
        JObject.Parse(await answer.Content.ReadAsStringAsync());

    Task<HttpResponseMessage> Send(HttpRequestMessage request)
    {
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        return Client.SendAsync(request);
    }

    static StringContent Json(object body) =>
        new StringContent(JsonConvert.SerializeObject(body), Encoding.UTF8, "application/json");
}
