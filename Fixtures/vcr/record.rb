#!/usr/bin/env ruby
# Records the requests of a small program with VCR and WebMock, as YAML and as JSON: `ruby record.rb FOLDER`. Debian: ruby-vcr,
# ruby-webmock, ruby-multi-json.
require "json"
require "net/http"
require "vcr"
require "webmock"

folder = File.expand_path(ARGV.fetch(0))
script = File.join(__dir__, "server.py")

def record(folder, script, name, serializer, **options)
  IO.popen(["python3", script], "r+") do |server|
    place = server.gets.strip
    VCR.configure do |config|
      config.cassette_library_dir = folder
      config.hook_into :webmock
      config.filter_sensitive_data("<TOKEN>") { "planted-token-0123456789" }
      config.before_record { |interaction| interaction.request.uri = interaction.request.uri.sub(place, "shop.test") }
    end
    VCR.use_cassette(name, serialize_with: serializer, record: :all, **options) do
      base = "http://#{place}"
      get = lambda { |path, headers = {}| Net::HTTP.get_response(URI(base + path), headers) }
      get.call("/items/7")
      get.call("/items?page=1", "Accept-Encoding" => "gzip")
      get.call("/picture")
      2.times { get.call("/stock") }
      get.call("/me?api_key=planted-key-0123456789", "Authorization" => "Bearer planted-token-0123456789")
      Net::HTTP.post(URI("#{base}/orders"), "item=7&count=2", "Content-Type" => "application/x-www-form-urlencoded")
      Net::HTTP.post(URI("#{base}/orders"), "\x00\xFF\x10binary".b, "Content-Type" => "application/octet-stream")
      get.call("/nowhere")
    end
    server.close_write
  end
end

record(folder, script, "ruby-vcr", :yaml)
record(folder, script, "ruby-vcr-bytes", :json, preserve_exact_body_bytes: true)
