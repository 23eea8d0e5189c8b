import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** A shop's payment tests. Run them with `java ShopTest.java`; with JUnit each method becomes a `@Test`. */
public class ShopTest {
  static final String BASE = Optional.ofNullable(System.getenv("SANDBOX_URL")).orElse("http://localhost:3000");
  static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  static final String PAYMENT = """
      {"intent":"sale","payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card":
      {"number":"4417119669820331","type":"visa","expire_month":"11","expire_year":"2031"}}]},
      "transactions":[{"amount":{"total":"30.11","currency":"USD"},"invoice_number":"INV-7"}]}""";

  /** The client id is the merchant, and each merchant has a world of its own: no test sees another. */
  final String merchant = "java-" + UUID.randomUUID();
  final String bearer;

  ShopTest() throws Exception {
    String basic = Base64.getEncoder().encodeToString((merchant + ":any-secret").getBytes());
    HttpRequest request = HttpRequest.newBuilder(URI.create(BASE + "/v1/oauth2/token"))
        .header("Authorization", "Basic " + basic)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString("grant_type=client_credentials"))
        .build();
    bearer = "Bearer " + text(client.send(request, BodyHandlers.ofString()).body(), "access_token");
  }

  void pays() throws Exception {
    HttpResponse<String> payment = pay("order-1");
    check(payment.statusCode() == 201 && payment.body().contains("\"state\":\"completed\""), payment.body());
  }

  void isDeclined() throws Exception {
    sandbox("rules", "{\"op\":\"payment.create\",\"outcome\":\"decline-insufficient-funds\"}");
    HttpResponse<String> refusal = pay("order-2");
    check(refusal.statusCode() == 400, refusal.body());
    check(text(refusal.body(), "name").equals("INSTRUMENT_DECLINED"), refusal.body());
  }

  void chargesOnceWhenTheAnswerIsLost() throws Exception {
    sandbox("rules", "{\"op\":\"payment.create\",\"outcome\":\"reset-after-commit\"}");
    try {
      throw new AssertionError("An answer came: " + pay("order-3").statusCode());
    } catch (IOException lost) {
      HttpResponse<String> again = pay("order-3");
      check(again.statusCode() == 201, again.body());
      check(again.headers().firstValue("Sandbox-Replayed").equals(Optional.of("true")), "a second payment");
    }
    String verdict = sandbox("verdict", "{}");
    check(verdict.contains("\"passed\":true"), verdict);
  }

  void isAlone() throws Exception {
    String id = text(pay("order-4").body(), "id");
    check(send("GET", "/v1/payments/payment/" + id, "", bearer, "").statusCode() == 200, "it is not there");
    int status = send("GET", "/v1/payments/payment/" + id, "", "Bearer sandbox.java-other", "").statusCode();
    check(status == 404, "another merchant got " + status);
  }

  HttpResponse<String> pay(String requestId) throws Exception {
    return send("POST", "/v1/payments/payment", PAYMENT, bearer, requestId);
  }

  /** What only the tests call, never the shop. */
  String sandbox(String verb, String body) throws Exception {
    return send("POST", "/_sandbox/" + verb + "?merchant=" + merchant, body, "", "").body();
  }

  static HttpResponse<String> send(String method, String path, String body, String bearer, String requestId)
      throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(BASE + path))
        .header("Content-Type", "application/json")
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!bearer.isEmpty()) request.header("Authorization", bearer);
    if (!requestId.isEmpty()) request.header("PayPal-Request-Id", requestId);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /** The first text under a key: enough here, where a JSON library would have to be installed. */
  static String text(String body, String key) {
    return Pattern.compile("\"" + key + "\":\"([^\"]+)\"").matcher(body).results().findFirst().orElseThrow().group(1);
  }

  static void check(boolean holds, String otherwise) {
    if (!holds) throw new AssertionError(otherwise);
  }

  interface Test {
    void run(ShopTest shop) throws Exception;
  }

  static void run(String name, Test test) throws Exception {
    test.run(new ShopTest());
    System.out.println("ok " + name);
  }

  public static void main(String[] args) throws Exception {
    run("pays", ShopTest::pays);
    run("isDeclined", ShopTest::isDeclined);
    run("chargesOnceWhenTheAnswerIsLost", ShopTest::chargesOnceWhenTheAnswerIsLost);
    run("isAlone", ShopTest::isAlone);
  }
}
