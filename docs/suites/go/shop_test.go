// A shop's payment tests. Run them with `go test`; nothing needs to be installed.
package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

const payment = `{"intent":"sale","payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card":
{"number":"4417119669820331","type":"visa","expire_month":"11","expire_year":"2031"}}]},
"transactions":[{"amount":{"total":"30.11","currency":"USD"},"invoice_number":"INV-7"}]}`

type shop struct {
	t                *testing.T
	merchant, bearer string
}

type answer struct {
	status int
	header http.Header
	body   struct {
		AccessToken  string `json:"access_token"`
		Name         string
		Passed       bool
		Payments     []json.RawMessage
		Transactions []struct {
			RelatedResources []struct{ Sale struct{ State string } } `json:"related_resources"`
		}
	}
}

// The client id is the merchant, and each merchant has a world of its own: no test sees another.
func newShop(t *testing.T) shop {
	t.Parallel()
	s := shop{t: t, merchant: fmt.Sprintf("go-%s-%d", t.Name(), time.Now().UnixNano())}
	form := url.Values{"grant_type": {"client_credentials"}}.Encode()
	request := s.request("POST", "/v1/oauth2/token", form)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(s.merchant, "any-secret")
	token, err := s.send(request)
	if err != nil {
		t.Fatal(err)
	}
	s.bearer = "Bearer " + token.body.AccessToken
	return s
}

func (s shop) request(method, path, body string) *http.Request {
	base := os.Getenv("VAULT_URL")
	if base == "" {
		base = "http://localhost:3000"
	}
	request, err := http.NewRequest(method, base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", s.bearer)
	return request
}

func (s shop) send(request *http.Request) (answer, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	got := answer{status: response.StatusCode, header: response.Header}
	return got, json.NewDecoder(bytes.NewReader(text)).Decode(&got.body)
}

func (s shop) pay(requestID string) (answer, error) {
	request := s.request("POST", "/v1/payments/payment", payment)
	if requestID != "" {
		request.Header.Set("PayPal-Request-Id", requestID)
	}
	return s.send(request)
}

// What only the tests call, never the shop.
func (s shop) sandbox(verb, body string) answer {
	request := s.request("POST", "/_sandbox/"+verb+"?merchant="+s.merchant, body)
	request.Header.Del("Authorization")
	got, err := s.send(request)
	if err != nil || got.status >= 300 {
		s.t.Fatal(verb, got.status, err)
	}
	return got
}

func (s shop) payments() int {
	got, err := s.send(s.request("GET", "/v1/payments/payment?count=20", ""))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(got.body.Payments)
}

func TestPays(t *testing.T) {
	got, err := newShop(t).pay("")
	if err != nil || got.status != 201 {
		t.Fatal(got.status, err)
	}
	if state := got.body.Transactions[0].RelatedResources[0].Sale.State; state != "completed" {
		t.Fatal(state)
	}
}

func TestIsDeclined(t *testing.T) {
	s := newShop(t)
	s.sandbox("rules", `{"op":"payment.create","outcome":"decline-insufficient-funds"}`)
	got, err := s.pay("")
	if err != nil || got.status != 400 || got.body.Name != "INSTRUMENT_DECLINED" {
		t.Fatal(got.status, got.body.Name, err)
	}
}

func TestChargesOnceWhenTheAnswerIsLost(t *testing.T) {
	s := newShop(t)
	s.sandbox("rules", `{"op":"payment.create","outcome":"reset-after-commit"}`)
	key := s.merchant + "-order-7"
	if _, err := s.pay(key); err == nil {
		t.Fatal("an answer came")
	}
	got, err := s.pay(key)
	if err != nil || got.status != 201 || got.header.Get("Sandbox-Replayed") != "true" {
		t.Fatal(got.status, err)
	}
	if !s.sandbox("verdict", "{}").body.Passed {
		t.Fatal("the verdict is against it")
	}
}

func TestIsAlone(t *testing.T) {
	s := newShop(t)
	before := s.payments()
	if _, err := s.pay(""); err != nil {
		t.Fatal(err)
	}
	other := s
	other.bearer = "Bearer sandbox.go-other"
	if s.payments() != before+1 || other.payments() != before {
		t.Fatal("a payment was seen by another merchant")
	}
}
