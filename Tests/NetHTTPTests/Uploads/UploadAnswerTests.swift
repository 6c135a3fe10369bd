import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// The meaning of responses, and the capabilities that servers announce.
struct UploadAnswerTests {
    private typealias Kind = UploadServer.Kind

    private func judge(
        _ status: Int, _ fields: HTTPFields, _ step: UploadAnswer.Step, _ kind: UploadServer.Kind
    ) -> UploadAnswer {
        UploadAnswer.judge(ResponseHead(status: .init(code: status), headers: fields), to: step, of: kind)
    }

    @Test func statusesMeanWhatTheTableSays() {
        let bytes = UploadAnswer.Step.bytes(isLast: false)
        for kind in [UploadServer.Kind.tus, .resumable] {
            for status in [404, 410] {
                #expect(judge(status, [:], .offset, kind) == .gone)
                #expect(judge(status, [:], bytes, kind) == .gone)
                #expect(judge(status, [:], .creation(isWhole: false), kind) == .rejected)
            }
            #expect(judge(409, [:], bytes, kind) == .conflict)
            #expect(judge(409, [:], .creation(isWhole: false), kind) == .rejected)
            #expect(judge(413, [:], bytes, kind) == .tooLarge)
            #expect(judge(423, [:], .offset, kind) == .locked)
            #expect(judge(460, [:], bytes, kind) == (kind == .tus ? .damaged : .rejected))
            for status in [408, 425, 429, 500, 502, 503, 504] { #expect(judge(status, [:], bytes, kind) == .later) }
            for status in [400, 401, 403, 415, 501, 507] { #expect(judge(status, [:], bytes, kind) == .rejected) }
        }
    }

    @Test func anOffsetIsANumber() {
        for (text, offset) in [("0", 0), ("12", 12), (" 7 ", 7)] as [(String, Int64)] {
            #expect(judge(204, [.uploadOffset: text], .bytes(isLast: false), .tus) == .offset(offset))
        }
        for text in ["", "-1", "1.5", "12a", "99999999999999999999", "+1", "0x1"] {
            #expect(judge(204, [.uploadOffset: text], .bytes(isLast: false), .tus) == .accepted, "\(text)")
            #expect(judge(204, [.uploadOffset: text], .offset, .tus) == .unusable("the response has no Upload-Offset"))
        }
    }

    @Test func aCreationNeedsAPlace() {
        #expect(
            judge(201, [:], .creation(isWhole: false), .tus)
                == .unusable("the response has no Location, so the upload can't be found again"))
        #expect(judge(201, [.location: "/a"], .creation(isWhole: false), .tus) == .created(offset: nil))
        #expect(
            judge(201, [.location: "/a", .uploadOffset: "3"], .creation(isWhole: true), .tus) == .created(offset: 3))
        #expect(judge(200, [:], .creation(isWhole: true), .unknown) == .done)
        #expect(
            judge(201, [.location: "/a", .uploadComplete: "?0"], .creation(isWhole: true), .resumable)
                == .created(offset: nil))
    }

    @Test func completenessDecidesWhateverTheStatus() {
        #expect(judge(422, [.uploadComplete: "?1"], .bytes(isLast: true), .resumable) == .rejected)
        #expect(
            judge(503, [.uploadComplete: "?1"], .bytes(isLast: true), .resumable) == .rejected,
            "the target has failed, not the upload")
        #expect(judge(204, [.uploadComplete: "?1"], .offset, .resumable) == .done)
        #expect(judge(204, [.uploadIncomplete: "?0"], .offset, .resumable) == .done)
        #expect(judge(204, [.uploadComplete: "?0"], .bytes(isLast: true), .resumable) == .accepted)
        #expect(judge(200, [:], .bytes(isLast: true), .resumable) == .done, "older drafts don't say so")
        #expect(
            judge(200, [.uploadComplete: "yes", .uploadOffset: "5"], .offset, .resumable) == .offset(5),
            "malformed is absent")
    }

    @Test func aServerIsKnownByItsResponseToOptions() {
        func kind(_ fields: HTTPFields, _ wanted: UploadProtocol = .automatic, _ status: Int = 204) -> Kind {
            UploadServer(ResponseHead(status: .init(code: status), headers: fields), wanted: wanted).kind
        }
        #expect(kind([.tusVersion: "0.2.2, 1.0.0"]) == .tus)
        #expect(kind([.tusVersion: "0.2.2"]) == .unknown)
        #expect(kind([.tusResumable: "1.0.0"]) == .tus)
        #expect(kind([.acceptPatch: "application/json, application/partial-upload"]) == .resumable)
        #expect(kind([.acceptPatch: "application/*"]) == .unknown)
        #expect(kind([.uploadLimit: "max-size=1"]) == .resumable)
        #expect(kind([.interopVersion: "6"], .automatic, 400) == .resumable)
        #expect(kind([.interopVersion: "9"]) == .unknown)
        #expect(kind([:]) == .unknown)
        #expect(kind([:], .tus) == .tus)
        #expect(kind([.tusVersion: "1.0.0"], .plain) == .plain)
        let server = UploadServer(
            ResponseHead(
                status: .noContent,
                headers: [
                    .tusVersion: "1.0.0", .tusExtension: "creation, Checksum,termination",
                    .tusChecksumAlgorithm: "sha1, sha512",
                    .tusMaxSize: "1000",
                ]), wanted: .automatic)
        #expect(server.checksum == "sha512")
        #expect(server.terminates)
        #expect(server.limits.maximumSize == 1000)
        #expect(server.limits.problem(size: 1001)?.contains("1000") == true)
        #expect(server.limits.problem(size: 1000) == nil)
    }

    @Test func limitsAreReadStrictly() {
        func limits(_ text: String) -> UploadLimits {
            UploadLimits(ResponseHead(status: .ok, headers: [.uploadLimit: text]))
        }
        let all = limits("max-size=10, min-size=2, max-append-size=5, min-append-size=1, max-age=60, other=?1")
        #expect(all.maximumSize == 10)
        #expect(all.minimumSize == 2)
        #expect(all.maximumRequest == 5)
        #expect(all.minimumRequest == 1)
        #expect(all.age == 60)
        #expect(all.problem(size: 1) != nil)
        #expect(all.problem(size: 2) == nil)
        for text in [
            "max-size=10, min-size=\"2\"", "max-size=-1", "max-size", "max-size=1.5", "max-size=(1)", "=",
            "max-size=1,,",
        ] {
            #expect(limits(text) == UploadLimits(), "\(text)")
        }
    }
}
