import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shop's payment tests with JUnit 5. */
class ShopTest {
  static final String BASE = Optional.ofNullable(System.getenv("VAULT_URL")).orElse("http://localhost:3000");
  static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  static final String PAYMENT = """
      {"intent":"sale","payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card":
      {"number":"4417119669820331","type":"visa","expire_month":"11","expire_year":"2031"}}]},
      "transactions":[{"amount":{"total":"30.11","currency":"USD"},"invoice_number":"INV-7"}]}""";

  /** The client id is the merchant, and each merchant has a world of its own: no test sees another. */
  final String merchant = "java-" + UUID.randomUUID();
  String bearer;

  @BeforeEach
  void askForAToken() throws Exception {
    String basic = Base64.getEncoder().encodeToString((merchant + ":any-secret").getBytes());
    HttpRequest request = HttpRequest.newBuilder(URI.create(BASE + "/v1/oauth2/token"))
        .header("Authorization", "Basic " + basic)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString("grant_type=client_credentials"))
        .build();
    bearer = "Bearer " + text(client.send(request, BodyHandlers.ofString()).body(), "access_token");
  }

  @Test
  void pays() throws Exception {
    HttpResponse<String> payment = pay("order-1");
    assertEquals(201, payment.statusCode());
    assertTrue(payment.body().contains("\"state\":\"completed\""), payment::body);
  }

  @Test
  void isDeclined() throws Exception {
    sandbox("rules", "{\"op\":\"payment.create\",\"outcome\":\"decline-insufficient-funds\"}");
    HttpResponse<String> refusal = pay("order-2");
    assertEquals(400, refusal.statusCode());
    assertEquals("INSTRUMENT_DECLINED", text(refusal.body(), "name"));
  }

  @Test
  void chargesOnceWhenTheAnswerIsLost() throws Exception {
    sandbox("rules", "{\"op\":\"payment.create\",\"outcome\":\"reset-after-commit\"}");
    assertThrows(IOException.class, () -> pay("order-3"));
    HttpResponse<String> again = pay("order-3");
    assertEquals(201, again.statusCode());
    assertEquals(Optional.of("true"), again.headers().firstValue("Sandbox-Replayed"));
    String verdict = sandbox("verdict", "{}");
    assertTrue(verdict.contains("\"passed\":true"), verdict);
  }

  @Test
  void isAlone() throws Exception {
    String id = text(pay("order-4").body(), "id");
    assertEquals(200, send("GET", "/v1/payments/payment/" + id, "", bearer, "").statusCode());
    String another = "Bearer sandbox.java-" + UUID.randomUUID();
    assertEquals(404, send("GET", "/v1/payments/payment/" + id, "", another, "").statusCode());
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
}
