// Pays, reads, changes and refunds, and decodes every answer into types with the shapes of the Go SDK: its expiry dates
// are strings, its times are RFC 3339. Standard library only, so it runs anywhere.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

type amount struct {
	Total    string `json:"total"`
	Currency string `json:"currency"`
}

type resource struct {
	ID            string     `json:"id"`
	State         string     `json:"state"`
	Amount        *amount    `json:"amount"`
	CreateTime    *time.Time `json:"create_time"`
	UpdateTime    *time.Time `json:"update_time"`
	ParentPayment string     `json:"parent_payment"`
}

// Only these fields of a vault card have the same type under both profiles.
type vaultCard struct {
	ID         string `json:"id"`
	Number     string `json:"number"`
	ValidUntil string `json:"valid_until"`
}

type instrument struct {
	CreditCardToken *struct {
		CreditCardID string `json:"credit_card_id"`
		Last4        string `json:"last4"`
		ExpireMonth  string `json:"expire_month"`
		ExpireYear   string `json:"expire_year"`
	} `json:"credit_card_token"`
	CreditCard *struct {
		Number      string `json:"number"`
		ExpireMonth string `json:"expire_month"`
		ExpireYear  string `json:"expire_year"`
	} `json:"credit_card"`
}

type payment struct {
	ID         string     `json:"id"`
	State      string     `json:"state"`
	CreateTime *time.Time `json:"create_time"`
	Payer      struct {
		FundingInstruments []instrument `json:"funding_instruments"`
	} `json:"payer"`
	Transactions []struct {
		Amount           amount                `json:"amount"`
		RelatedResources []map[string]resource `json:"related_resources"`
	} `json:"transactions"`
}

type paymentList struct {
	Payments []payment `json:"payments"`
	Count    int       `json:"count"`
}

type failure struct {
	Name            string `json:"name"`
	Message         string `json:"message"`
	DebugID         string `json:"debug_id"`
	InformationLink string `json:"information_link"`
	Details         []struct {
		Field string `json:"field"`
		Issue string `json:"issue"`
	} `json:"details"`
}

// call sends a request, decodes its answer into the value, and prints the step.
func call(step, method, path, body string, into interface{}) {
	request, err := http.NewRequest(method, os.Args[1]+path, bytes.NewBufferString(body))
	if err == nil {
		request.Header.Set("Authorization", "Bearer sandbox."+os.Args[2])
		request.Header.Set("Content-Type", "application/json")
		var response *http.Response
		if response, err = http.DefaultClient.Do(request); err == nil {
			defer response.Body.Close()
			err = json.NewDecoder(response.Body).Decode(into)
			step = fmt.Sprintf("%s %d", step, response.StatusCode)
		}
	}
	if err != nil {
		step = fmt.Sprintf("%s: %v", step, err)
	}
	fmt.Println(step)
}

func main() {
	const payments = "/v1/payments/payment"
	const card = `{"number":"4417119669820331","type":"visa","expire_month":"11","expire_year":"2031"}`
	var stored vaultCard
	call("store", "POST", "/v1/vault/credit-cards", card, &stored)
	pay := func(step, intent, funding string) payment {
		var made payment
		call(step, "POST", payments, `{"intent":"`+intent+`","payer":{"payment_method":"credit_card","funding_instruments":[`+
			funding+`]},"transactions":[{"amount":{"total":"10.00","currency":"USD"}}]}`, &made)
		return made
	}
	token := `{"credit_card_token":{"credit_card_id":"` + stored.ID + `"}}`
	paid := pay("pay", "sale", token)
	pay("pay with a raw card", "sale", `{"credit_card":`+card+`}`)
	held := pay("authorize", "authorize", token)
	var shown payment
	call("show", "GET", payments+"/"+paid.ID, "", &shown)
	var listed paymentList
	call("list", "GET", payments+"/", "", &listed)
	var refused failure
	call("execute", "POST", payments+"/"+paid.ID+"/execute", `{"payer_id":""}`, &refused)
	var sale, refund, hold, taken resource
	sale = shown.Transactions[0].RelatedResources[0]["sale"]
	call("show the sale", "GET", "/v1/payments/sale/"+sale.ID, "", &sale)
	call("refund", "POST", "/v1/payments/sale/"+sale.ID+"/refund", `{"amount":null}`, &refund)
	call("show the refund", "GET", "/v1/payments/refund/"+refund.ID, "", &refund)
	hold = held.Transactions[0].RelatedResources[0]["authorization"]
	call("capture", "POST", "/v1/payments/authorization/"+hold.ID+"/capture",
		`{"amount":{"total":"4.00","currency":"USD"},"is_final_capture":true}`, &taken)
	call("list again", "GET", payments+"/", "", &listed)
	call("list payouts", "GET", "/v1/payments/payouts", "", &refused)
	first := listed.Payments[len(listed.Payments)-1].Payer.FundingInstruments[0].CreditCardToken
	fmt.Println(listed.Count, first.ExpireMonth, first.ExpireYear)
}
