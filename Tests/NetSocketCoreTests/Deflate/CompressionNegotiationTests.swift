import NetCore
import NetSocketCore
import Testing

/// RFC 7692 section 7.1: offers of a client, responses of a server, and the settings that each side derives from them.
struct CompressionNegotiationTests {
    private typealias Direction = WebSocketCompression.Direction

    @Test func anOfferNamesWhatThisSideWants() {
        #expect(CompressionNegotiation.offer(.init()) == "permessage-deflate; client_max_window_bits")
        var settings = WebSocketCompression.withoutContext
        let plain = ", permessage-deflate; client_max_window_bits"
        let limited =
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits"
        #expect(CompressionNegotiation.offer(settings) == limited + plain)
        settings.fallsBack = false
        #expect(CompressionNegotiation.offer(settings) == limited)
        let small = WebSocketCompression(sending: Direction(windowBits: 10), receiving: Direction(windowBits: 9))
        #expect(
            CompressionNegotiation.offer(small)
                == "permessage-deflate; server_max_window_bits=9; client_max_window_bits=10" + plain)
        // Limits of this side's own messages need no other server.
        let sending = WebSocketCompression(sending: Direction(windowBits: 10, takesOverContext: false))
        #expect(
            CompressionNegotiation.offer(sending)
                == "permessage-deflate; client_no_context_takeover; client_max_window_bits=10")
    }

    /// tornado 6.6 and uWebSockets (socketify 0.0.31) respond with `permessage-deflate`, without the parameters of the offer.
    @Test(arguments: [
        ("permessage-deflate", WebSocketCompression.withoutContext, 15, true),
        ("permessage-deflate; client_no_context_takeover", .withoutContext, 15, true),
        ("permessage-deflate; server_max_window_bits=10", .withoutContext, 10, true),
        ("permessage-deflate", WebSocketCompression(receiving: Direction(windowBits: 10)), 15, true),
        (
            "permessage-deflate; server_max_window_bits=11; server_no_context_takeover",
            WebSocketCompression(receiving: Direction(windowBits: 10)), 11, false
        ),
    ])
    func aServerThatIgnoresTheLimitsIsAcceptedUnlessTheProgramInsists(
        field: String, offered: WebSocketCompression, bits: Int, takesOver: Bool
    ) throws {
        let agreed = try #require(try CompressionNegotiation.agreed(field, offered: offered))
        #expect(agreed.receiving == Direction(windowBits: bits, takesOverContext: takesOver))
        #expect(agreed.sending.takesOverContext == offered.sending.takesOverContext)
        var strict = offered
        strict.fallsBack = false
        do throws(WebSocketViolation) {
            _ = try CompressionNegotiation.agreed(field, offered: strict)
            Issue.record("accepted")
        } catch {
            #expect(error.message.contains("fallsBack"))
        }
    }

    @Test(arguments: [
        ("permessage-deflate", 15, true, 15, true),
        ("permessage-deflate; server_no_context_takeover", 15, true, 15, false),
        ("Permessage-Deflate;Client_No_Context_Takeover", 15, false, 15, true),
        (" permessage-deflate ; server_max_window_bits = 10 ; client_max_window_bits=\"11\" ,", 11, true, 10, true),
        ("permessage-deflate; server_max_window_bits=8", 15, true, 9, true),
    ])
    func clientAdoptsTheParametersOfTheResponse(
        _ field: String, _ sendingBits: Int, _ sendingContext: Bool, _ receivingBits: Int, _ receivingContext: Bool
    ) throws {
        let agreed = try #require(try CompressionNegotiation.agreed(field, offered: .init()))
        #expect(agreed.sending == Direction(windowBits: sendingBits, takesOverContext: sendingContext))
        #expect(agreed.receiving == Direction(windowBits: receivingBits, takesOverContext: receivingContext))
    }

    @Test func aServerMayDecline() throws {
        #expect(try CompressionNegotiation.agreed(nil, offered: .init()) == nil)
        #expect(try CompressionNegotiation.agreed("", offered: .init()) == nil)
        #expect(try CompressionNegotiation.agreed(nil, offered: nil) == nil)
    }

    @Test func aWindowThatZlibHasNotMeansThatNothingIsCompressed() throws {
        let agreed = try #require(
            try CompressionNegotiation.agreed("permessage-deflate; client_max_window_bits=8", offered: .init()))
        var frames = FrameBuffer(role: .client, maskKeys: MaskKeys())
        frames.startCompressing(agreed, pool: DeflatePool())
        frames.append(.text(String(repeating: "a", count: 1000)), compression: .always)
        #expect(frames.withPending { $0[0] } == 0x81)
    }

    @Test(arguments: [
        "permessage-deflate; unknown", "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; server_max_window_bits", "permessage-deflate; client_max_window_bits",
        "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=09", "permessage-deflate; server_max_window_bits=+9",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate, permessage-deflate", "x-webkit-deflate-frame", "permessage-deflate;",
        "permessage-deflate; =3", "permessage-deflate; a=\"b", "permessage-deflate; a=\"\"", "permessage deflate", ";",
        "\u{0}",
    ])
    func anAnswerThatIsNotValidIsRefused(_ field: String) {
        #expect(throws: WebSocketViolation.self) { try CompressionNegotiation.agreed(field, offered: .init()) }
        #expect(throws: WebSocketViolation.self) { try CompressionNegotiation.agreed(field, offered: nil) }
    }

    @Test(arguments: [
        ("permessage-deflate", "permessage-deflate"),
        ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
        ("permessage-deflate; client_max_window_bits=10", "permessage-deflate; client_max_window_bits=10"),
        (
            "permessage-deflate; server_max_window_bits=10; server_no_context_takeover; client_no_context_takeover",
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10"
        ),
        ("permessage-deflate; unknown, permessage-deflate; client_max_window_bits", "permessage-deflate"),
        (
            "foo, bar; baz=2, permessage-deflate; server_max_window_bits=\"12\"",
            "permessage-deflate; server_max_window_bits=12"
        ),
        ("permessage-deflate; client_max_window_bits=8", "permessage-deflate; client_max_window_bits=8"),
    ])
    func serverAnswersTheFirstSupportedOffer(_ offer: String, _ answer: String) throws {
        let (field, agreed) = try #require(CompressionNegotiation.answer(offer, settings: .init()))
        #expect(field == answer)
        // The server's accepted settings equal those that a client with this offer derives, as seen from the other
        // side.
        if !offer.contains("no_context"), !offer.contains("=8") {
            let client = try #require(try CompressionNegotiation.agreed(field, offered: .init()))
            #expect(client.sending == agreed.receiving)
            #expect(client.receiving == agreed.sending)
        }
    }

    @Test(arguments: [
        nil, "", "foo", "permessage-deflate; server_max_window_bits=16", "permessage-deflate; ,",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
    ])
    func aServerDeclinesWhatItCannotAccept(_ offer: String?) {
        #expect(CompressionNegotiation.answer(offer, settings: .init()) == nil)
    }

    @Test func aServerKeepsToItsOwnLimits() throws {
        let small = WebSocketCompression(
            sending: Direction(windowBits: 11, takesOverContext: false), receiving: Direction(windowBits: 12))
        #expect(CompressionNegotiation.answer("permessage-deflate", settings: small) == nil)
        let answer = CompressionNegotiation.answer("permessage-deflate; client_max_window_bits", settings: small)
        #expect(
            answer?.field
                == "permessage-deflate; server_no_context_takeover; server_max_window_bits=11; client_max_window_bits=12"
        )
    }

    // MARK: Every combination

    private static let directions = [8, 9, 10, 14, 15].flatMap { bits in
        [true, false].map { Direction(windowBits: bits, takesOverContext: $0) }
    }

    /// The negotiated settings are the same on both sides, and within the limits of each.
    @Test func bothSidesAgreeOnTheSame() throws {
        for client in Self.directions {
            for server in Self.directions {
                let offered = WebSocketCompression(sending: client, receiving: server)
                let settings = WebSocketCompression(sending: client, receiving: server, minimumBytes: 7, level: 4)
                let (field, agreed) = try #require(
                    CompressionNegotiation.answer(CompressionNegotiation.offer(offered), settings: settings))
                let understood = try #require(try CompressionNegotiation.agreed(field, offered: offered))
                #expect(understood.sending == agreed.receiving, "\(field)")
                #expect(understood.receiving == agreed.sending, "\(field)")
                let bits = min(client.windowBits, server.windowBits)
                let context = client.takesOverContext && server.takesOverContext
                let both = Direction(windowBits: bits, takesOverContext: context)
                #expect(agreed.sending == both)
                #expect(agreed.receiving == both)
                #expect(agreed.minimumBytes == 7)
                #expect(agreed.level == 4)
                #expect(understood.minimumBytes == 128)
            }
        }
    }

    @Test(arguments: [(8, 9, Int.max), (9, 9, 128), (10, 10, 128), (14, 14, 128), (15, 15, 128)])
    func aWindowOf8BitsIsTooSmallToCompressWith(bits: Int, window: Int, minimum: Int) throws {
        let answer = "permessage-deflate; client_max_window_bits=\(bits)"
        let client = try #require(try CompressionNegotiation.agreed(answer, offered: .init()))
        #expect(client.sending.windowBits == window)
        #expect(client.minimumBytes == minimum)
        #expect(client.receiving.windowBits == 15)
        let offer = "permessage-deflate; server_max_window_bits=\(bits)"
        let server = try #require(CompressionNegotiation.answer(offer, settings: .init()))
        #expect(server.agreed.sending.windowBits == window)
        #expect(server.agreed.minimumBytes == minimum)
        #expect(server.agreed.receiving.windowBits == 15)
        #expect(server.field == offer)
    }

    @Test(arguments: [
        ("", 15, "", 15), ("; client_max_window_bits", 15, "", 15), ("; client_max_window_bits=15", 15, "", 15),
        ("; client_max_window_bits=14", 15, "; client_max_window_bits=14", 14),
        ("; client_max_window_bits", 14, "; client_max_window_bits=14", 14),
        ("; client_max_window_bits=12", 14, "; client_max_window_bits=12", 12),
        ("; client_max_window_bits=14", 12, "; client_max_window_bits=12", 12),
        ("; client_max_window_bits=8", 15, "; client_max_window_bits=8", 9),
        ("; client_max_window_bits=8", 9, "; client_max_window_bits=8", 9),
    ])
    func aServerLimitsTheWindowOfAClientThatLetsIt(offer: String, bits: Int, answer: String, window: Int) throws {
        let settings = WebSocketCompression(receiving: Direction(windowBits: bits))
        let found = try #require(CompressionNegotiation.answer("permessage-deflate" + offer, settings: settings))
        #expect(found.field == "permessage-deflate" + answer)
        #expect(found.agreed.receiving.windowBits == window)
        #expect(found.agreed.sending == settings.sending)
    }

    @Test(arguments: [
        ("", 15, ""), ("", 14, "; server_max_window_bits=14"),
        ("; server_max_window_bits=15", 15, "; server_max_window_bits=15"),
        ("; server_max_window_bits=12", 14, "; server_max_window_bits=12"),
        ("; server_max_window_bits=14", 12, "; server_max_window_bits=12"),
    ])
    func aServerSaysWhichWindowItHas(offer: String, bits: Int, answer: String) throws {
        let settings = WebSocketCompression(sending: Direction(windowBits: bits))
        let found = try #require(CompressionNegotiation.answer("permessage-deflate" + offer, settings: settings))
        #expect(found.field == "permessage-deflate" + answer)
    }

    @Test func contextsEndForBothSidesAsOffered() throws {
        for (server, client) in [(true, true), (true, false), (false, true), (false, false)] {
            let parameters =
                (server ? "; server_no_context_takeover" : "") + (client ? "; client_no_context_takeover" : "")
            let found = try #require(
                CompressionNegotiation.answer("permessage-deflate" + parameters, settings: .init()))
            #expect(found.field == "permessage-deflate" + parameters)
            #expect(found.agreed.sending.takesOverContext != server)
            #expect(found.agreed.receiving.takesOverContext != client)
        }
    }

    @Test func anOfferBelow15BitsIsSpelledOut() {
        for bits in [9, 14, 15] {
            let settings = WebSocketCompression(
                sending: Direction(windowBits: bits), receiving: Direction(windowBits: bits), fallsBack: false)
            #expect(
                CompressionNegotiation.offer(settings) == "permessage-deflate"
                    + (bits < 15 ? "; server_max_window_bits=\(bits)" : "") + "; client_max_window_bits"
                    + (bits < 15 ? "=\(bits)" : ""))
        }
    }

    @Test(arguments: [(10, 10, true), (9, 10, true), (11, 10, false), (15, 15, true), (15, 14, false)])
    func anAnswerKeepsToTheWindowThatWasOffered(answered: Int, offered: Int, isGood: Bool) {
        let field = "permessage-deflate; server_max_window_bits=\(answered)"
        let settings = WebSocketCompression(receiving: Direction(windowBits: offered), fallsBack: false)
        #expect(((try? CompressionNegotiation.agreed(field, offered: settings)) != nil) == isGood)
    }
}
