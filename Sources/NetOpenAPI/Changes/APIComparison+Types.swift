extension APIComparison {
    mutating func compareTypes() {
        for name in old.order {
            guard let left = old.declared[name], let right = new.declared[name] else {
                // A change to an inline type is reported where the type is used.
                if old.declared[name].map({ old.model[$0].isComponent }) == true { breaks(name, "the type is gone") }
                continue
            }
            switch (old.model[left].kind, new.model[right].kind) {
            case (.object(let one), .object(let other)): compare(one, other, name)
            case (.enumeration(let one), .enumeration(let other)): compare(one, other, name)
            case (.union(let one), .union(let other)): compare(one, other, name)
            default: breaks(name, "the type is of another kind")
            }
        }
        for name in new.order where old.declared[name] == nil {
            if new.declared[name].map({ new.model[$0].isComponent }) == true { adds(name, "the type is new") }
        }
    }

    private mutating func compare(_ left: ObjectModel, _ right: ObjectModel, _ name: String) {
        let isSent = old.isSent(name) || new.isSent(name)
        let isReceived = old.isReceived(name) || new.isReceived(name)
        for property in left.properties {
            let what = "'\(property.name)'"
            guard let other = right.properties.first(where: { $0.name == property.name }) else {
                breaks(name, "\(what) is gone")
                continue
            }
            if other.isRequired, !property.isRequired {
                if isSent {
                    breaks(name, "\(what) is required now")
                } else {
                    adds(name, "\(what) is always there now")
                }
            }
            if !other.isRequired, property.isRequired {
                if isReceived {
                    breaks(name, "\(what) may be missing now")
                } else {
                    adds(name, "\(what) is optional now")
                }
            }
            if other.isNullable, !property.isNullable {
                if isReceived { breaks(name, "\(what) may be null now") } else { adds(name, "\(what) can be null now") }
            }
            if !other.isNullable, property.isNullable {
                if isSent {
                    breaks(name, "\(what) must not be null now")
                } else {
                    adds(name, "\(what) is never null now")
                }
            }
            compare(property.type, other.type, name, what)
        }
        for property in right.properties where !left.properties.contains(where: { $0.name == property.name }) {
            if property.isRequired, isSent {
                breaks(name, "'\(property.name)' is new and required")
            } else {
                adds(name, "'\(property.name)' is new")
            }
        }
        switch (left.additional, right.additional) {
        case (let before?, let after?): compare(before, after, name, "what else it may hold")
        case (_?, nil): breaks(name, "it no longer has members with other names")
        case (nil, _?): adds(name, "it may have members with other names")
        case (nil, nil): break
        }
    }

    private mutating func compare(_ left: EnumModel, _ right: EnumModel, _ name: String) {
        if left.isInteger != right.isInteger { return breaks(name, "its values are of another kind") }
        let before = Set(left.values.map(\.text))
        let after = Set(right.values.map(\.text))
        for value in left.values where !after.contains(value.text) { breaks(name, "the value '\(value.text)' is gone") }
        for value in right.values where !before.contains(value.text) { adds(name, "the value '\(value.text)' is new") }
    }

    private mutating func compare(_ left: UnionModel, _ right: UnionModel, _ name: String) {
        let before = Set(left.variants.map { old.text($0.type) })
        let after = Set(right.variants.map { new.text($0.type) })
        for text in before.subtracting(after).sorted() { breaks(name, "it is no longer \(text)") }
        for text in after.subtracting(before).sorted() { adds(name, "it may be \(text) now") }
        if left.discriminator != right.discriminator { breaks(name, "its kinds are distinguished by another member") }
    }
}
