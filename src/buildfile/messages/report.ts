import type { MessageLevel } from '../../domain/request.ts'
import type { Message } from './message.ts'
import type { Entry, Node, Place } from '../tree/node.ts'
import type { NormalOptions } from '../normal-form/options.ts'
import { isWritten, pathTo, type Spot, writtenAbove } from '../tree/location.ts'

/** Where messages go. */
export interface Telling {
  messages: Message[]
  options: NormalOptions
}

export interface Told {
  level: MessageLevel
  code: string
  args?: Record<string, unknown>
}

/** Where something stands, if not where the nearest key above it does. */
interface Written {
  at: Place
  src?: string | undefined
}

/** About a key of the map at the spot: the path is that of the map, the line that of the key. */
export function tellKey(telling: Telling, spot: Spot, entry: Entry, told: Told): void {
  add(telling, spot, entry.line, entry, { ...ofProvider(spot, told), key: pathTo(spot) })
}

/** About a key as well, but the line is that of the map. */
export function tellMap(telling: Telling, spot: Spot, told: Told, written?: Written): void {
  add(telling, spot, spot.entry?.line, written, { ...ofProvider(spot, told), key: pathTo(spot) })
}

/** About the value at the spot, or one of the sequence there. */
export function tellValue(telling: Telling, spot: Spot, node: Node, told: Told): void {
  const written = isWritten(node) ? { at: node, src: writtenAbove(spot)?.src } : undefined
  add(telling, spot, spot.entry?.line, written, { ...told, key: pathToValue(spot, node) })
}

/** Values of type secure have that as the last part of their path. */
export function pathToValue(spot: Spot, { kind }: Node): string[] {
  const path = pathTo(spot)
  return kind === 'secure' && !path.includes(kind) ? [...path, kind] : path
}

function ofProvider({ provider }: Spot, told: Told): Told {
  return provider === undefined ? told : { ...told, args: { ...told.args, provider } }
}

function add(
  { messages, options }: Telling,
  spot: Spot,
  line: number | undefined,
  written: Written | undefined,
  message: Message,
): void {
  const { at, src } = (written && isWritten(written.at) ? written : writtenAbove(spot)) ?? {}
  if (options.line && line !== undefined) message.line = line
  if (at) message.at = { start: at.start, end: at.end }
  if (src !== undefined) message.src = src
  messages.push(message)
}
