import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Stores a card, patches it, pays with it, refunds the sale and deletes the card. The JDK's client as it comes: over
 * plain HTTP it offers an upgrade to HTTP/2 with each request.
 */
public class Walk {
  static final HttpClient client = HttpClient.newHttpClient();

  static String base;
  static String authorization;

  public static void main(String[] args) throws Exception {
    base = args[0];
    byte[] credentials = (args[1] + ":secret").getBytes();
    authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
    String token = call("POST", "/v1/oauth2/token", "application/x-www-form-urlencoded", "grant_type=client_credentials");
    authorization = "Bearer " + first(token, "access_token");

    String cards = "/v1/vault/credit-cards";
    String card = json("POST", cards, "{\"number\":\"4417119669820331\",\"type\":\"visa\",\"expire_month\":\"11\",\"expire_year\":\"2031\"}");
    String cardId = first(card, "id");
    json("PATCH", cards + "/" + cardId, "[{\"op\":\"add\",\"path\":\"/first_name\",\"value\":\"Ada\"}]");
    String payment = json("POST", "/v1/payments/payment",
        "{\"intent\":\"sale\",\"payer\":{\"payment_method\":\"credit_card\",\"funding_instruments\":[{\"credit_card_token\":{\"credit_card_id\":\""
            + cardId + "\"}}]},\"transactions\":[{\"amount\":{\"total\":\"30.11\",\"currency\":\"USD\"}}]}");
    String saleId = first(payment.substring(payment.indexOf("\"sale\":")), "id");
    json("POST", "/v1/payments/sale/" + saleId + "/refund", "{}");
    json("DELETE", cards + "/" + cardId, "");
    json("GET", cards + "/" + cardId, "");
  }

  static String json(String method, String path, String body) throws Exception {
    return call(method, path, "application/json", body);
  }

  static String call(String method, String path, String type, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", authorization)
        .header("Content-Type", type)
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    System.out.println(method + " " + response.statusCode());
    return response.body();
  }

  /** The first text under a key: enough for ids and tokens, where a JSON library would have to be installed. */
  static String first(String body, String key) {
    return Pattern.compile("\"" + key + "\":\"([^\"]+)\"").matcher(body).results().findFirst().orElseThrow().group(1);
  }
}
