import { inColour } from '../domain/log/log-colours.ts'
import { clearLine, foldMarker } from '../domain/log/log-markers.ts'

const fold = 'worker_info'

/** Facts about the machine, folded away at the top of the log. */
export function workerInfo(facts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}\r\n`)
  return [
    foldMarker('start', fold) + clearLine,
    `${inColour('yellow', 'Worker information')}\r\n`,
    ...lines,
    foldMarker('end', fold) + clearLine,
  ].join('')
}
