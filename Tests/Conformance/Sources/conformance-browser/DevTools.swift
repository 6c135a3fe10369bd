#if Server
import NetCore
import NetSocket
import NetSocketCore

/// The commands and events of DevTools that the checks use.
enum DevTools {
    struct CreateTarget: SocketCommand {
        static let event = "Target.createTarget"
        struct Response: Codable, Sendable { var targetId: String }
        var url: String
    }

    struct CloseTarget: SocketCommand {
        static let event = "Target.closeTarget"
        typealias Response = NoResponse
        var targetId: String
    }

    struct Evaluate: SocketCommand {
        static let event = "Runtime.evaluate"
        struct Response: Codable, Sendable {
            struct Value: Codable, Sendable { var value: JSONValue? }
            struct Problem: Codable, Sendable {
                struct Thrown: Codable, Sendable { var description: String? }
                var text: String
                var exception: Thrown?
            }
            var result: Value
            var exceptionDetails: Problem?
        }
        var expression: String
        var awaitPromise = true
        var returnByValue = true
    }

    struct InsertText: SocketCommand {
        static let event = "Input.insertText"
        typealias Response = NoResponse
        var text: String
    }

    struct KeyEvent: SocketCommand {
        static let event = "Input.dispatchKeyEvent"
        typealias Response = NoResponse
        var type: String
        var key: String
        var code: String
        var windowsVirtualKeyCode: Int
        var text: String?
        var modifiers = 0
    }

    struct SetMetrics: SocketCommand {
        static let event = "Emulation.setDeviceMetricsOverride"
        typealias Response = NoResponse
        var width: Int
        var height: Int
        var deviceScaleFactor: Double = 1
        var mobile: Bool
    }

    struct SetMedia: SocketCommand {
        static let event = "Emulation.setEmulatedMedia"
        typealias Response = NoResponse
        struct Feature: Codable, Sendable { var name: String, value: String }
        var features: [Feature]
    }

    struct Screenshot: SocketCommand {
        static let event = "Page.captureScreenshot"
        struct Response: Codable, Sendable { var data: String }
        var format = "png"
        var optimizeForSpeed = false
    }

    struct AccessibilityTree: SocketCommand {
        static let event = "Accessibility.getFullAXTree"
        struct Response: Codable, Sendable { var nodes: [Node] }
        struct Node: Codable, Sendable {
            struct Value: Codable, Sendable { var value: JSONValue? }
            var ignored: Bool
            var role: Value?
            var name: Value?
        }
    }

    // MARK: Events

    struct FrameSent: SocketPush {
        static let event = "Network.webSocketFrameSent"
        var response: Frame
    }

    struct FrameReceived: SocketPush {
        static let event = "Network.webSocketFrameReceived"
        var response: Frame
    }

    struct Frame: Codable, Sendable { var payloadData: String }

    struct HandshakeResponse: SocketPush {
        static let event = "Network.webSocketHandshakeResponseReceived"
        struct Response: Codable, Sendable { var headers: [String: String] }
        var response: Response
    }

    struct RequestSent: SocketPush {
        static let event = "Network.requestWillBeSent"
        struct Request: Codable, Sendable { var url: String }
        var request: Request
    }

    struct LogEntry: SocketPush {
        static let event = "Log.entryAdded"
        struct Entry: Codable, Sendable { var level: String, text: String }
        var entry: Entry
    }

    struct Thrown: SocketPush {
        static let event = "Runtime.exceptionThrown"
        var exceptionDetails: Evaluate.Response.Problem
    }
}
#endif
