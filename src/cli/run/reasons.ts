import { stripVTControlCharacters } from 'node:util'
import { logColours } from '../../domain/log/log-colours.ts'
import { jobStopped } from '../../domain/log/log-endings.ts'
import { visible } from '../../domain/visible.ts'
import { withoutMarkers } from '../../terminal/without-markers.ts'

/** What the logs of jobs say about their failures. */
export interface Reasons {
  read(jobId: number, content: string): void
  of(jobId: number): string[]
}

const red = `\u001B[${logColours.red}m`
const longestLine = 10_000
const most = 5

/** Collects the lines that the service itself writes in red: the commands that failed, and limits. */
export function createReasons(): Reasons {
  const jobs = new Map<number, { rest: string; found: string[] }>()
  return {
    read(jobId, content) {
      const { rest = '', found = [] } = jobs.get(jobId) ?? {}
      const lines = (rest + content).split('\n')
      const last = lines.pop() ?? ''
      found.push(...lines.flatMap((line) => reasonIn(line) ?? []))
      jobs.set(jobId, { rest: last.slice(-longestLine), found: found.slice(-most) })
    },
    of: (jobId) => jobs.get(jobId)?.found ?? [],
  }
}

function reasonIn(line: string): string | undefined {
  const shown = withoutMarkers(line)
  if (!shown.startsWith(red)) return undefined
  const text = visible(stripVTControlCharacters(shown).trim())
  return text === jobStopped || text === '' ? undefined : text
}
