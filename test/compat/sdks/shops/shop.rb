# A shop that retries once after a lost answer, or that pays from two threads at once.
# Usage: shop.rb <url> <merchant> same-id|new-id|double-click|two-sellers
require 'json'
require 'net/http'
require 'securerandom'

url, merchant, habit = ARGV
CARD = { number: '4417119669820331', type: 'visa', expire_month: '11', expire_year: '2031' }.freeze

pay = lambda do |request_id, description = 'a hat'|
  payment = {
    intent: 'sale',
    payer: { payment_method: 'credit_card', funding_instruments: [{ credit_card: CARD }] },
    transactions: [{ amount: { total: '30.11', currency: 'USD' }, custom: 'order-7', description: description }]
  }
  headers = {
    'Authorization' => "Bearer sandbox.#{merchant}",
    'Content-Type' => 'application/json',
    'PayPal-Request-Id' => request_id
  }
  JSON.parse(Net::HTTP.post(URI("#{url}/v1/payments/payment"), payment.to_json, headers).body)
end

pay_at_once = lambda do |descriptions|
  descriptions.map { |text| Thread.new { pay.call(SecureRandom.uuid, text) } }.map(&:value).first
end

first_id = SecureRandom.uuid
answer =
  case habit
  when 'double-click' then pay_at_once.call(['a hat', 'a hat'])
  when 'two-sellers' then pay_at_once.call(['seller A', 'seller B'])
  else
    begin
      pay.call(first_id)
    rescue SystemCallError, IOError, Net::HTTPBadResponse
      pay.call(habit == 'same-id' ? first_id : SecureRandom.uuid)
    end
  end
puts answer['transactions'][0]['related_resources'][0]['sale']['state']
