/// Compares names of values with the names of a policy, without regard to case, `_` and `-`.
enum SensitiveName {
    /// Names that keep their meaning behind any prefix, even within one word: `dbPassword`, `user-otp`,
    /// `smtppassword`. They count only if the policy contains them.
    static let endings: Set<String> = [
        "password", "passwords", "passwd", "passphrase", "passcode", "pwd", "password_hash", "password_confirmation",
        "password_confirm", "password_repeat", "secret", "secrets", "secret_key", "secret_access_key", "token", "jwt",
        "api_key", "api_keys", "access_key", "private_key", "auth_key", "shared_key", "signing_key", "encryption_key",
        "master_key", "account_key", "subscription_key", "function_key", "functions_key", "session_key", "session_id",
        "otp", "totp", "otp_code", "totp_code", "mfa_code", "tfa_code", "2fa_code", "two_factor_code", "one_time_code",
        "verification_code", "security_code", "auth_code", "authorization_code", "device_code", "recovery_code",
        "recovery_codes", "backup_code", "backup_codes", "access_code", "login_code", "confirmation_code",
        "activation_code", "reset_code", "sms_code", "pin_code", "cvv", "cvc", "ssn", "social_security_number",
        "card_number", "credit_card", "cc_number", "credential", "credentials", "authorization", "cookie", "assertion",
        "saml_response", "hmac", "code_verifier", "recovery_phrase", "seed_phrase", "mnemonic",
    ]

    /// Names that keep their meaning behind a prefix only as a separate word: `userPin`, `db_pass`; not `spin`,
    /// `compass`.
    static let words: Set<String> = ["pin", "pass", "auth"]

    /// Tokens that denote a position in a list.
    private static let places = [
        "pagetoken", "nexttoken", "continuationtoken", "paginationtoken", "cursortoken", "skiptoken", "deltatoken",
        "synctoken", "forwardtoken", "backwardtoken", "previoustoken", "prevtoken", "startingtoken",
    ]

    /// The ``endings`` by their last byte, so that a name is compared with only a few of them.
    private static let endingsByLastByte = Dictionary(grouping: endings.map(folded)) { $0.utf8.last ?? 0 }

    /// Returns the name in lowercase, without `_` and `-`.
    static func folded(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// Returns true if a name is one of the folded `names`, or ends in one of them.
    static func matches(_ name: some StringProtocol, _ names: Set<String>) -> Bool {
        names.contains(folded(name)) || ends(name, in: names)
    }

    /// Returns the same for a name that is already folded, so its word boundaries are unknown.
    static func matches(folded name: String, _ names: Set<String>) -> Bool {
        names.contains(name) || ends(folded: name, in: names)
    }

    /// Returns true if a name ends in one of the folded `names` that is also one of ``endings`` or ``words``. Digits
    /// at its end are ignored: `password2`.
    static func ends(_ name: some StringProtocol, in names: Set<String>) -> Bool {
        ends(folded: folded(name), in: names) || endsInWord(Substring(name).utf8, names)
    }

    private static func ends(folded name: String, in names: Set<String>) -> Bool {
        let base = withoutNumber(name.utf8)
        if words.contains(where: { base.elementsEqual($0.utf8) && names.contains($0) }) { return true }
        guard let last = base.last, let endings = endingsByLastByte[last] else { return false }
        return endings.contains { ends(base, in: $0) && names.contains($0) } && !places.contains { ends(base, in: $0) }
    }

    private static func ends(_ text: Substring.UTF8View, in ending: String) -> Bool {
        text.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }

    private static func withoutNumber(_ text: String.UTF8View) -> Substring.UTF8View {
        var end = text.endIndex
        while end > text.startIndex, isDigit(text[text.index(before: end)]) { end = text.index(before: end) }
        return text[..<end]
    }

    /// Returns true if the last word of a name, after a separator or a change of case, is one of ``words``.
    private static func endsInWord(_ name: Substring.UTF8View, _ names: Set<String>) -> Bool {
        var name = name
        while let last = name.last, isDigit(last) || isSeparator(last) { name.removeLast() }
        return words.contains { word in
            guard names.contains(word), name.count > word.utf8.count else { return false }
            let tail = name.suffix(word.utf8.count)
            guard zip(tail, word.utf8).allSatisfy({ $0 | 0x20 == $1 }), let first = tail.first,
                let before = name.dropLast(word.utf8.count).last
            else { return false }
            // An acronym is a run of capitals: the P of APIPass begins a word, but that of COMPASS doesn't.
            let beginsWord = isCapital(first) && (!isCapital(before) || !tail.dropFirst().allSatisfy(isCapital))
            return !isLetter(before) || beginsWord
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") }
}
