import { secretEndMarker, secretsOverMarker, secretStart } from '../../domain/log/secret-markers.ts'

/** A piece of a job's output, in order. */
export type OutputPiece =
  | { kind: 'text'; bytes: Buffer }
  /** A value; `null` if it is too long to keep. */
  | { kind: 'secret'; name: string; value: Buffer | null }
  /** No more values come. */
  | { kind: 'over' }

export interface HandedSecrets {
  push(chunk: Uint8Array): OutputPiece[]
  /** Returns the bytes held back, except the bytes of an unfinished value. */
  end(): Buffer
}

/** A value whose end has not come yet. */
interface OpenValue {
  name: string
  /** Whether a terminal changed its line breaks. */
  translated: boolean
  parts: Buffer[]
  length: number
}

/** Longer than any name with its line break. */
const longestHead = 300

/**
 * Separates the output of a job from the values of secrets that its program hands over in the output.
 * Markers without the nonce are ordinary text. A job can read the nonce in its own program: markers
 * written with it add values, of at most `mostBytes` each, and remove none.
 */
export function createHandedSecrets(nonce: string, mostBytes: number): HandedSecrets {
  const start = Buffer.from(secretStart(nonce))
  const end = Buffer.from(secretEndMarker(nonce))
  const over = Buffer.from(secretsOverMarker(nonce))
  let kept = Buffer.alloc(0)
  let isOver = false
  let value: OpenValue | undefined

  function nextPiece(): OutputPiece | undefined {
    return value ? valuePiece(value) : textPiece()
  }

  function take(length: number): Buffer {
    const taken = kept.subarray(0, length)
    kept = kept.subarray(length)
    return taken
  }

  /** The text before the next marker, then the content of the marker. */
  function textPiece(): OutputPiece | undefined {
    const at = isOver ? -1 : firstOf(kept, [start, over])
    if (at !== 0) {
      const length = at === -1 ? kept.length - (isOver ? 0 : begun(kept, [start, over])) : at
      return length > 0 ? { kind: 'text', bytes: take(length) } : undefined
    }
    if (kept.indexOf(over) === 0) {
      take(over.length)
      isOver = true
      return { kind: 'over' }
    }
    return openValue()
  }

  function openValue(): OutputPiece | undefined {
    const head = kept.subarray(start.length, start.length + longestHead).toString('latin1')
    const [, name, lineBreak] = /^([A-Za-z_]\w*)(\r*\n)/.exec(head) ?? []
    if (name !== undefined && lineBreak !== undefined) {
      take(start.length + name.length + lineBreak.length)
      value = { name, translated: lineBreak !== '\n', parts: [], length: 0 }
      return nextPiece()
    }
    if (/^(?:[A-Za-z_]\w*\r*)?$/.test(head) && head.length < longestHead) return undefined
    return { kind: 'text', bytes: take(start.length) }
  }

  function valuePiece(open: OpenValue): OutputPiece | undefined {
    const at = kept.indexOf(end)
    const part = take(at === -1 ? Math.max(0, kept.length - end.length + 1) : at)
    open.length += part.length
    if (open.length > mostBytes) open.parts = []
    else open.parts.push(part)
    if (at === -1) return undefined
    take(end.length)
    value = undefined
    return { kind: 'secret', name: open.name, value: open.length > mostBytes ? null : joined(open) }
  }

  return {
    push(chunk) {
      kept = Buffer.concat([kept, chunk])
      const pieces: OutputPiece[] = []
      for (let piece = nextPiece(); piece; piece = nextPiece()) pieces.push(piece)
      return pieces
    },

    end() {
      const rest = value ? Buffer.alloc(0) : kept
      kept = Buffer.alloc(0)
      value = undefined
      return rest
    },
  }
}

function firstOf(bytes: Buffer, markers: readonly Buffer[]): number {
  const found = markers.map((marker) => bytes.indexOf(marker)).filter((at) => at !== -1)
  return found.length > 0 ? Math.min(...found) : -1
}

/** How many of the last bytes may be the beginning of a marker. */
function begun(bytes: Buffer, markers: readonly Buffer[]): number {
  const most = Math.max(...markers.map(({ length }) => length)) - 1
  for (let length = Math.min(most, bytes.length); length > 0; length -= 1) {
    const tail = bytes.subarray(-length)
    if (markers.some((marker) => marker.subarray(0, length).equals(tail))) return length
  }
  return 0
}

/** Removes the carriage returns that a terminal puts before each line break. */
function joined({ parts, translated }: OpenValue): Buffer {
  const bytes = Buffer.concat(parts)
  if (!translated) return bytes
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}
