#if Server
import Foundation
import NetCore
import NetOpenAPI
import NetTestOpenAPI
import NetTestServer
import NetTesting

// openapi-server serve ID=DOCUMENT...: runs a server for each document; prints a line `ID URL` for each, then, once the
// input ends, a line of JSON for each request
// openapi-server check DOCUMENT FOLDER: references may read files in the folder; reads lines of JSON, {"component",
// "value"} or {"component", "seed"}; writes for each the findings, or the created value
// openapi-server read: reads lines of JSON, each the text of a file; writes for each its value, with scalars as
// written, or its error, and whether the error has a position

let arguments = Array(CommandLine.arguments.dropFirst())

func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("openapi-server: \(message)\n".utf8))
    exit(1)
}

func line(_ value: JSONValue) throws -> String {
    String(decoding: try JSONCoding.standard.encode(value), as: UTF8.self)
}

func check(_ path: String, _ folder: String) throws {
    let validator = try OpenAPIValidator(DocumentLoader(referenceFolder: folder).load(path: path))
    while let text = readLine() {
        let task = try JSONCoding.standard.decode(JSONValue.self, from: Bytes(text.utf8))
        guard let component = task["component"]?.stringValue else { stop("a line without a component") }
        if let value = task["value"] {
            let findings = validator.findings(in: value, component: component)
            print(try line(findings.map { .array($0.map { .string("\($0)") }) } ?? .null))
        } else {
            let seed = task["seed"]?.intValue ?? 0
            let value = validator.sample(ofComponent: component, seed: UInt64(clamping: seed))
            print(try line(value.map { ["value": $0] } ?? .null))
        }
    }
}

/// Returns a tree as JSON: the kind and the contents of each node.
func tree(_ node: Node) -> JSONValue {
    switch node.value {
    case .scalar(let text, let isQuoted): ["scalar", .string(text), .bool(isQuoted)]
    case .array(let elements): ["array", .array(elements.map(tree))]
    case .object(let members): ["object", .array(members.map { [.string($0.key), tree($0.value)] })]
    }
}

func answer(_ bytes: [UInt8]) -> JSONValue {
    do throws(Diagnostic) {
        return ["value": tree(try DocumentLoader().load(bytes: bytes, name: "case.yaml").root)]
    } catch {
        return ["error": .string(error.message), "position": .bool(error.position != nil)]
    }
}

func read() throws {
    while let text = readLine() {
        let bytes = try JSONCoding.standard.decode([String].self, from: Bytes("[\(text)]".utf8)).joined().utf8
        print(try line(answer(Array(bytes))))
    }
}

func serve(_ documents: [String]) async throws {
    var servers: [(id: String, api: OpenAPIServer)] = []
    for document in documents {
        let parts = document.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { stop("write ID=DOCUMENT") }
        var configuration = TestServer.Configuration()
        configuration.maximumLoggedBodyBytes = 16 << 20
        let api = try await TestServer.start(
            openAPI: DocumentLoader().load(path: parts[1]), refusesFaults: false, configuration: configuration)
        servers.append((parts[0], api))
        print("\(parts[0]) \(api.baseURL)")
    }
    fflush(nil)
    while readLine() != nil {}
    for (id, api) in servers {
        for request in api.server.journal.requests {
            let headers = request.headers.map { JSONValue.array([.string($0.name.rawName), .string($0.value)]) }
            let findings = api.validator.findings(in: request).map { JSONValue.string("\($0)") }
            print(
                try line([
                    "document": .string(id), "method": .string(request.method.rawValue),
                    "target": .string(request.target),
                    "operation": api.validator.operation(for: request).map { .string($0) } ?? .null,
                    "fields": .array(headers), "body": .string(request.body.data.base64EncodedString()),
                    "findings": .array(findings),
                ]))
        }
        let samples = api.report.sampleFindings.map { JSONValue.string("\($0)") }
        print(try line(["document": .string(id), "samples": .array(samples)]))
        await api.stop()
    }
}

do {
    switch arguments.first {
    case "serve": try await serve(Array(arguments.dropFirst()))
    case "read": try read()
    case "check" where arguments.count == 3: try check(arguments[1], arguments[2])
    default: stop("write serve ID=DOCUMENT..., check DOCUMENT FOLDER, or read")
    }
} catch {
    stop("\(error)")
}
#else
print("openapi-server: build it with the trait Server")
#endif
