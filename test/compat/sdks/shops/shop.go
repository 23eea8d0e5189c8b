// A shop that pays from two goroutines at once. They share one client, whose connection is already open.
// Usage: shop.go <url> <merchant> double-click|two-sellers
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

func call(method, path, body, requestID string) []byte {
	request, err := http.NewRequest(method, os.Args[1]+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer sandbox."+os.Args[2])
	request.Header.Set("Content-Type", "application/json")
	if requestID != "" {
		request.Header.Set("PayPal-Request-Id", requestID)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	// A body that is read to its end frees the connection for the next request.
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	return answer
}

func pay(requestID, description string) string {
	body := fmt.Sprintf(`{"intent":"sale","payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card":{"number":"4417119669820331","type":"visa","expire_month":"11","expire_year":"2031"}}]},"transactions":[{"amount":{"total":"30.11","currency":"USD"},"custom":"order-7","description":%q}]}`, description)
	var payment struct {
		Transactions []struct {
			RelatedResources []struct {
				Sale struct {
					State string `json:"state"`
				} `json:"sale"`
			} `json:"related_resources"`
		} `json:"transactions"`
	}
	if err := json.Unmarshal(call("POST", "/v1/payments/payment", body, requestID), &payment); err != nil {
		panic(err)
	}
	return payment.Transactions[0].RelatedResources[0].Sale.State
}

func main() {
	descriptions := []string{"seller A", "seller B"}
	if os.Args[3] == "double-click" {
		descriptions = []string{"a hat", "a hat"}
	}
	call("GET", "/v1/vault/credit-cards", "", "")
	states := make([]string, len(descriptions))
	var workers sync.WaitGroup
	for i, description := range descriptions {
		workers.Add(1)
		go func(i int, description string) {
			defer workers.Done()
			states[i] = pay(fmt.Sprintf("click-%d", i), description)
		}(i, description)
	}
	workers.Wait()
	fmt.Println(states[0])
}
