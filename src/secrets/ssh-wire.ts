/** Values in SSH's encoding (RFC 4251, 5), one after the other: each with its length before it. */
export function wire(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )
}

/** A positive integer, with a leading zero byte where it would look negative otherwise. */
export function wireInteger(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.alloc(1), bytes])
}

/** Reads such values in order. Throws a RangeError when fewer bytes are left than a value needs. */
export function wireReader(bytes: Buffer) {
  let at = 0
  const number = (): number => {
    const value = bytes.readUInt32BE(at)
    at += 4
    return value
  }
  return {
    number,
    value(): Buffer {
      const length = number()
      if (length > bytes.length - at) throw new RangeError('a value is cut off')
      at += length
      return bytes.subarray(at - length, at)
    },
    rest: (): Buffer => bytes.subarray(at),
  }
}
