#if Server
import HTTPTypes
import NetCore
import NetTesting
import Testing

extension TransportRule {
    static let requests = [
        methods, targets, repeatedFields, fieldsInOrder, emptyFields, framing, noBodyHasLengthZero, noCookies,
        decodedContent, codedContent,
    ]

    static let methods = TransportRule("a method arrives as it was given") { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            let custom = try #require(HTTPRequest.Method("PURGE"))
            for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options, custom] {
                let response = try await world.send("/m", method)
                #expect(response.status == .ok)
                #expect(world.lastRequest?.method == method)
                #expect(world.lastRequest?.body.isEmpty == true)
            }
        }
    }

    static let targets = TransportRule("a target arrives byte for byte") { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            for target in [
                "/", "/a%2Fb/%2e%2E/c", "/a//b/", "/x?a%20b=c%2Bd%26e%3Df%2F%C3%BC&flag&=&z=", "/q?", "/;v=1,2'()*!$@:",
                "/x?next=https%3A%2F%2Fother.example%2F%3Fa%3Db",
            ] {
                _ = try await world.send(target)
                #expect(world.lastRequest?.target == target)
            }
        }
    }

    static let repeatedFields = TransportRule("every value of a repeated field arrives") { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            let name = HTTPField.Name("X-Many")
            var headers: HTTPFields = [:]
            for value in ["a", "b", "c d"] { headers.append(HTTPField(name: name, value: value)) }
            headers.append(HTTPField(name: .cookie, value: "k=1"))
            headers.append(HTTPField(name: .cookie, value: "l=2"))
            _ = try await world.send("/", headers: headers)
            let seen = try #require(world.lastRequest).headers
            #expect(seen[name] == "a, b, c d" || seen[name] == "a,b,c d")
            #expect(seen[.cookie] == "k=1; l=2")
        }
    }

    static let fieldsInOrder = TransportRule("fields keep their order and stay apart") { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            let names = try ["X-B", "X-A", "X-B", "X-C"].map { try #require(HTTPField.Name($0)) }
            var headers: HTTPFields = [:]
            for (index, name) in names.enumerated() { headers.append(HTTPField(name: name, value: "\(index)")) }
            _ = try await world.send("/", headers: headers)
            let seen = try #require(world.lastRequest).headers.filter { names.contains($0.name) }
            #expect(seen.map(\.value) == ["0", "1", "2", "3"])
        }
    }

    static let emptyFields = TransportRule("a field without a value arrives") { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            let name = HTTPField.Name("X-Empty")
            _ = try await world.send("/", headers: [name: ""])
            #expect(world.lastRequest?.headers[name] == "")
        }
    }

    static let framing = TransportRule("a field cannot break the framing of the body", needsSockets: true) { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            _ = try await world.send(
                "/", .post, headers: [.contentLength: "3", .transferEncoding: "chunked"], body: .text("seven b"))
            #expect(world.lastRequest?.body == Bytes("seven b".utf8))
            #expect(world.lastRequest?.headers[values: .contentLength] == ["7"])
        }
    }

    static let noBodyHasLengthZero = TransportRule(
        "a method that usually has a body says that it has none", needsSockets: true
    ) { subject in
        try await subject.run([Stub(nil, "*", .text("ok"))]) { world in
            for method in [HTTPRequest.Method.post, .put, .patch] {
                _ = try await world.send("/", method)
                #expect(world.lastRequest?.headers[.contentLength] == "0", "\(method)")
            }
            _ = try await world.send("/", .get)
            #expect(world.lastRequest?.headers[.contentLength] == nil)
        }
    }

    static let noCookies = TransportRule("no cookie is stored or sent", needsSockets: true) { subject in
        let stub = Stub(nil, "*", .text("ok").header(.setCookie, "session=1; Path=/; Max-Age=1000"))
        try await subject.run([stub]) { world in
            for _ in 0..<3 { _ = try await world.send("/") }
            #expect(world.lastRequest?.headers[.cookie] == nil)
        }
    }

    private static let gzip = Bytes([
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 87, 200, 64, 144, 0, 128, 136, 249, 229, 17, 0, 0, 0,
    ])
    private static var coded: Stub { Stub(nil, "*", .bytes(gzip).header(.contentEncoding, "gzip")) }

    static let decodedContent = TransportRule("a coded body is handed out decoded", needsSockets: true) { subject in
        try await subject.run([coded]) { world in
            #expect(world.transport.contentCodings.contains("gzip"))
            for delivery in [BodyDelivery.streamed, .collected(upTo: 1000)] {
                let response = try await world.send("/", delivery: delivery)
                #expect(response.head[.contentEncoding] == "gzip")
                #expect(try await response.body.collect(upTo: 1000) == Bytes("hello hello hello".utf8))
            }
        }
    }

    static let codedContent = TransportRule("a coded body comes as it is where that is wanted") { subject in
        try await subject.run([coded]) { world in
            var options = RequestOptions()
            options.decodesContent = false
            let response = try await world.send("/", options: options)
            #expect(try await response.body.collect(upTo: 1000) == gzip)
        }
    }
}
#endif
