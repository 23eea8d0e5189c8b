# A shop's payment tests. Run them with `ruby shop_test.rb`: minitest comes with Ruby.

require 'json'
require 'minitest/autorun'
require 'net/http'
require 'securerandom'

BASE = ENV.fetch('VAULT_URL', 'http://localhost:3000')

PAYMENT = {
  intent: 'sale',
  payer: {
    payment_method: 'credit_card',
    funding_instruments: [{ credit_card: {
      number: '4417119669820331', type: 'visa', expire_month: '11', expire_year: '2031'
    } }]
  },
  transactions: [{ amount: { total: '30.11', currency: 'USD' }, invoice_number: 'INV-7' }]
}.freeze

class ShopTest < Minitest::Test
  def setup
    # The client id is the merchant, and each merchant has a world of its own: no test sees another.
    @merchant = "ruby-#{SecureRandom.uuid}"
    request = Net::HTTP::Post.new('/v1/oauth2/token')
    request.basic_auth(@merchant, 'any-secret')
    request.set_form_data(grant_type: 'client_credentials')
    @bearer = "Bearer #{JSON.parse(send_to(request).body).fetch('access_token')}"
  end

  def test_pays
    answer = pay
    assert_equal '201', answer.code
    sale = JSON.parse(answer.body).dig('transactions', 0, 'related_resources', 0, 'sale')
    assert_equal 'completed', sale['state']
  end

  def test_is_declined
    sandbox('rules', op: 'payment.create', outcome: 'decline-insufficient-funds')
    answer = pay
    assert_equal ['400', 'INSTRUMENT_DECLINED'], [answer.code, JSON.parse(answer.body)['name']]
  end

  def test_charges_once_when_the_answer_is_lost
    sandbox('rules', op: 'payment.create', outcome: 'reset-after-commit')
    key = { 'PayPal-Request-Id' => SecureRandom.uuid }
    assert_raises(Errno::ECONNRESET, EOFError) { pay(key) }
    answer = pay(key)
    assert_equal %w[201 true], [answer.code, answer['Sandbox-Replayed']]
    assert sandbox('verdict', {})['passed']
  end

  def test_is_alone
    id = JSON.parse(pay.body).fetch('id')
    assert_equal %w[200 404], [status(id, @bearer), status(id, 'Bearer sandbox.ruby-other')]
  end

  private

  def pay(headers = {})
    json('Post', '/v1/payments/payment', PAYMENT, { 'Authorization' => @bearer, **headers })
  end

  def status(id, bearer)
    json('Get', "/v1/payments/payment/#{id}", nil, { 'Authorization' => bearer }).code
  end

  # What only the tests call, never the shop.
  def sandbox(verb, body)
    JSON.parse(json('Post', "/_sandbox/#{verb}?merchant=#{@merchant}", body).body)
  end

  def json(method, path, body, headers = {})
    request = Net::HTTP.const_get(method).new(path, { 'Content-Type' => 'application/json', **headers })
    request.body = JSON.generate(body) unless body.nil?
    send_to(request)
  end

  def send_to(request)
    uri = URI(BASE)
    Net::HTTP.start(uri.host, uri.port, read_timeout: 10) { |http| http.request(request) }
  end
end
