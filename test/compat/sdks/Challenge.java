import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Requests a token with clients that send no credentials before they are challenged. */
public class Challenge {
  public static void main(String[] args) throws Exception {
    Authenticator shop = new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication("my-shop", "any".toCharArray());
      }
    };
    URI token = URI.create(args[0] + "/v1/oauth2/token");
    String grant = "grant_type=client_credentials";
    HttpRequest request = HttpRequest.newBuilder(token)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(grant))
        .build();
    HttpClient client = HttpClient.newBuilder().authenticator(shop).build();
    System.out.println("HttpClient " + client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());

    Authenticator.setDefault(shop);
    HttpURLConnection connection = (HttpURLConnection) token.toURL().openConnection();
    connection.setDoOutput(true);
    connection.getOutputStream().write(grant.getBytes());
    System.out.println("HttpURLConnection " + connection.getResponseCode());
  }
}
