package import NetCore

/// Collects captures, and the names of the events between them.
package final class CaptureLog: ActivityListener {
    package let interest: ActivityInterest
    package let captureLimits: CaptureLimits
    private let captured = Locked<[CapturedAttempt]>([])
    private let kept = Locked<[String]>([])
    private let texts = Locked<[CapturedSocketMessage]>([])

    package init(_ interest: ActivityInterest = [.calls, .bodies], limits: CaptureLimits = CaptureLimits()) {
        self.interest = interest
        captureLimits = limits
    }

    package var attempts: [CapturedAttempt] { captured.value }
    package var exchanges: [CapturedExchange] { attempts.map { $0.redacted() } }
    package var names: [String] { kept.value }
    package var messages: [CapturedSocketMessage] { texts.value }

    package func record(_ event: ActivityEvent) { kept.change { $0.append(event.name) } }
    package func record(_ attempt: CapturedAttempt) {
        kept.change { $0.append("captured") }
        captured.change { $0.append(attempt) }
    }
    package func record(_ message: CapturedSocketMessage) { texts.change { $0.append(message) } }
}

extension CapturedExchange {
    /// All contents, as text.
    package var everything: String {
        var text = "\(request.url) \(request.headers) " + request.body.text
        if let response { text += " \(response.headers) \(response.trailers ?? [:]) " + response.body.text }
        return text + " \(failure?.message ?? "")"
    }
}

extension CapturedBody {
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
