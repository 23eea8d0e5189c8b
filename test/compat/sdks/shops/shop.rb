# A shop that retries once after a lost answer. Usage: shop.rb <url> <merchant> same-id|new-id
require 'json'
require 'net/http'
require 'securerandom'

url, merchant, habit = ARGV
CARD = { number: '4417119669820331', type: 'visa', expire_month: '11', expire_year: '2031' }.freeze
PAYMENT = {
  intent: 'sale',
  payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card: CARD }] },
  transactions: [{ amount: { total: '30.11', currency: 'USD' }, custom: 'order-7' }]
}.to_json

pay = lambda do |request_id|
  headers = {
    'Authorization' => "Bearer sandbox.#{merchant}",
    'Content-Type' => 'application/json',
    'PayPal-Request-Id' => request_id
  }
  JSON.parse(Net::HTTP.post(URI("#{url}/v1/payments/payment"), PAYMENT, headers).body)
end

first_id = SecureRandom.uuid
answer = begin
  pay.call(first_id)
rescue SystemCallError, IOError, Net::HTTPBadResponse
  pay.call(habit == 'same-id' ? first_id : SecureRandom.uuid)
end
puts answer['transactions'][0]['related_resources'][0]['sale']['state']
