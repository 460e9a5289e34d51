import type { MessageLevel } from '../../domain/request/request.ts'
import type { NormalOptions } from '../normal-form/options.ts'
import { isWritten, lineOf, pathTo, type Location, writtenAbove } from '../tree/location.ts'
import type { Entry, Node, Span } from '../tree/node.ts'
import type { Message } from './message.ts'
import { moreAlike, mostAlike } from './more-alike.ts'
import { type Room, roomForValues } from './shown-value.ts'

/** Collects messages, up to a limit for each level and code. */
export interface Reporter {
  messages: Message[]
  /** How often each code was reported at each level. */
  counts: Map<string, number>
  /** Room left for values shown in messages. */
  room: Room
  options: NormalOptions
}

export function newReporter(options: NormalOptions): Reporter {
  return { messages: [], counts: new Map(), room: roomForValues(), options }
}

export interface MessageBody {
  level: MessageLevel
  code: string
  args?: Record<string, unknown>
}

/** The subject of a message, if it is not the nearest key above. */
interface Subject {
  at: Span
  src?: string | undefined
}

/** Reports on a key of the map at the location: the path is the map's, the line the key's. */
export function reportKey(
  reporter: Reporter,
  location: Location,
  entry: Entry,
  body: MessageBody,
): void {
  const line = lineOf({ above: location, entry }) ?? lineOf(location)
  add(reporter, location, line, entry, { ...ofProvider(location, body), key: pathTo(location) })
}

/** Like `reportKey`, but with the line of the map. */
export function reportMap(
  reporter: Reporter,
  location: Location,
  body: MessageBody,
  subject?: Subject,
): void {
  add(reporter, location, lineOf(location), subject, {
    ...ofProvider(location, body),
    key: pathTo(location),
  })
}

/** Reports on the value at the location, or on an item of the sequence there. */
export function reportValue(
  reporter: Reporter,
  location: Location,
  node: Node,
  body: MessageBody,
): void {
  const subject = isWritten(node) ? { at: node, src: writtenAbove(location)?.src } : undefined
  add(reporter, location, lineOf(location), subject, { ...body, key: pathToValue(location, node) })
}

/** The path to a value; for a value of type secure it ends with `secure`. */
export function pathToValue(location: Location, { kind }: Node): string[] {
  const path = pathTo(location)
  return kind === 'secure' && !path.includes(kind) ? [...path, kind] : path
}

function ofProvider({ provider }: Location, body: MessageBody): MessageBody {
  return provider === undefined ? body : { ...body, args: { ...body.args, provider } }
}

function add(
  reporter: Reporter,
  location: Location,
  line: number | undefined,
  subject: Subject | undefined,
  message: Message,
): void {
  if (isBeyondLimit(reporter, message)) return
  const { messages, options } = reporter
  const { at, src } = (subject && isWritten(subject.at) ? subject : writtenAbove(location)) ?? {}
  if (options.line && line !== undefined) message.line = line
  if (at) message.at = { start: at.start, end: at.end }
  if (src !== undefined) message.src = src
  messages.push(message)
}

/** Counts the message; the first message beyond the limit is replaced by a message that says so. */
function isBeyondLimit({ messages, counts }: Reporter, { level, code }: Message): boolean {
  const name = `${level} ${code}`
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  if (count === mostAlike + 1) messages.push(moreAlike(level, code))
  return count > mostAlike
}
