package import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension SessionMachine {
    /// The number of a connection, or of an attempt to open one; never used twice.
    package typealias ConnectionID = UInt64
    /// The number of a request, join, leave or subscription that somebody waits for.
    package typealias Ticket = UInt64

    /// Something that happens to a session. Plain data: a list of events leads to the same states again, if the tickets in
    /// it are made at the same places.
    package enum Event: Sendable {
        // What its owner wants.
        case start
        case close
        case pause
        case resume
        /// Ends the connection, or the wait for one, and connects at once; earlier failures no longer count.
        case reconnect
        /// The status of the network, at first and whenever it has changed.
        case network(NetworkStatus)

        // What the transport reports.
        case connected(ConnectionID)
        case connectFailed(ConnectionID, NetError, Chance)
        case received(ConnectionID, WireSignal)
        /// Something has arrived that is no signal, or would have if this side read.
        case heard(ConnectionID)
        /// The server has ended the wire protocol.
        case wireEnded(ConnectionID, WireEnd, Chance)
        case ended(ConnectionID, NetError, Chance)
        case timer(Timer, Chance)

        // What callers want; the tickets come from `makeTicket()`.
        case request(Ticket, Request)
        /// The caller doesn't wait any more.
        case cancel(Ticket)
        case join(Ticket, topic: String)
        case leave(Ticket, topic: String)
        /// The reply to a request of the peer on a connection.
        case reply(ConnectionID, WireReply)
        case subscribe(Ticket, SocketPayload)
        case unsubscribe(Ticket)

        // What callers' closures return for each connection; nil if they threw, and the error.
        case openPayload(ConnectionID, SocketPayload?, NetError?, Chance)
        /// The wire could not write the message of that number.
        case unwritable(UInt64)
        case joinPayload(ConnectionID, topic: String, generation: Ticket, SocketPayload?, NetError?)
    }

    /// The wall clock and a random number, for a decision about the next attempt.
    package struct Chance: Sendable {
        package var date: Date
        /// In `0 ..< 1`.
        package var random: Double

        package init(date: Date, random: Double) {
            self.date = date
            self.random = random
        }
    }

    /// A message of this side.
    package struct Request: Sendable, Hashable {
        package var event: String
        package var payload: SocketPayload?
        package var topic: String?
        /// Whether a reply is waited for; otherwise the ticket is settled when the message has been handed over.
        package var wantsReply: Bool
        package var timeout: Duration
        package var offline: OfflineRule

        package init(
            _ event: String, payload: SocketPayload? = nil, topic: String? = nil, wantsReply: Bool = true,
            timeout: Duration = .seconds(30), offline: OfflineRule = .queue
        ) {
            self.event = event
            self.payload = payload
            self.topic = topic
            self.wantsReply = wantsReply
            self.timeout = timeout
            self.offline = offline
        }
    }

    /// What a deadline is for.
    package enum Timer: Sendable, Hashable {
        /// The wait before the next attempt.
        case reconnect
        /// The server must have opened the wire protocol.
        case opening
        case request(Ticket)
        case join(topic: String)
        /// The answer to a probe must have come.
        case probe
        /// Nothing has needed the connection for long enough.
        case idle
        /// The next heartbeat, or the next look whether the server is silent.
        case heartbeat
        /// The server must be told what has arrived.
        case acknowledgment
    }

    /// What a session wants to have done, in this order.
    package enum Effect: Sendable {
        /// Open a connection. `needsNewCredential` is true after the server has refused the last one.
        case connect(ConnectionID, attempt: Int, needsNewCredential: Bool)
        /// Give up opening a connection.
        case abandon(ConnectionID)
        /// Close a connection by the closing handshake; with 1006, which is never sent, end it without one: the peer is gone.
        case close(ConnectionID, WebSocketCloseCode)
        /// Ask the owner for the payload of the opening message.
        case makeOpenPayload(ConnectionID)
        /// Ask the channel's owner for the payload of a join.
        /// The generation tells a channel from one of the same name that was left before.
        case makeJoinPayload(ConnectionID, topic: String, generation: Ticket)
        case send(ConnectionID, WireSignal)
        /// Ask the peer for a sign of life below the wire protocol.
        case probe(ConnectionID)
        /// Send what gets no reply, and settle its ticket: a wire may not be able to say it.
        case notify(ConnectionID, WireSignal, Ticket)
        case setTimer(Timer, Duration)
        case clearTimer(Timer)
        case settle(Ticket, Outcome)
        case tell(Notice)
    }

    /// How something that somebody waits for has ended.
    package enum Outcome: Sendable {
        /// The reply's payload; nil for none, and for what gets no reply.
        case success(SocketPayload?)
        /// The peer refused it.
        case rejected(SocketFailure)
        /// It was not done, or nobody knows.
        case failed(Loss)
    }

    /// Why there is no reply.
    package enum Loss: Sendable {
        /// The connection ended with this error. The message may have arrived if it was sent.
        case lost(NetError, mayHaveArrived: Bool)
        case timedOut(Duration, mayHaveArrived: Bool)
        /// There is no connection, and the rule forbids to wait for one.
        case offline
        /// The queue is full.
        case full
        /// A newer message took its place, or it was dropped.
        case replaced
        case notJoined(topic: String)
        case closed
        /// The closure that makes the payload threw.
        case unprepared(NetError)
    }

    /// What observers see.
    package enum Notice: Sendable {
        case state(SocketSessionState)
        case push(WirePush)
        /// The join of the channel was sent.
        case joining(topic: String)
        /// The channel was joined, with the server's reply.
        case joined(topic: String, SocketPayload?, MissedPushes)
        /// The server was asked to let this side leave the channel.
        case leaving(topic: String)
        /// The channel was left, by this side or the server; or joining it was refused or given up.
        case left(topic: String, SocketFailure?)
        /// The channel waits for the next connection.
        case interrupted(topic: String)
        /// Pushes of a channel are missing between two that have arrived.
        case gap(topic: String)
        case event(Ticket, SocketPayload)
        case completed(Ticket, SocketFailure?)
        /// The peer wants something of this side, on this connection.
        case request(WireRequest, ConnectionID)
        case cancelled(SocketID)
        /// A message that the wire could not read.
        case unreadable(NetError)
        /// A reply for which nobody waits: it came too late, or twice.
        case stray(WireReply)
        /// Messages that were sent, and of which the server has not said that they have arrived, in order. Nobody sends them
        /// again.
        case undelivered([WireRequest])
        /// A request of the peer was not handled as it should. The driver tells it.
        case unhandled(WireRequest, NetError)
        /// The outcome of a request whose caller doesn't wait. The driver tells it, in the place of `settle`.
        case settled(Ticket, Outcome)
    }
}
