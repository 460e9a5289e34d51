import type { JobState } from '../../domain/job.ts'
import type { MessageLevel, RequestMessage } from '../../domain/request.ts'
import { stateClass } from './state-badge.tsx'

const labels: Record<MessageLevel, string> = {
  alert: 'Alert',
  error: 'Error',
  warn: 'Warning',
  info: 'Note',
}

/** Each level is drawn in the colour of a state. */
const states: Record<MessageLevel, JobState> = {
  alert: 'failed',
  error: 'failed',
  warn: 'created',
  info: 'started',
}

/** What was found in the build file, with the places (CF-11). */
export function Findings({ messages }: { messages: readonly RequestMessage[] }) {
  return <ul class="findings">{messages.map(Row)}</ul>
}

function Row({ level, text, code, src, line, column }: RequestMessage) {
  return (
    <li class={stateClass(states[level])}>
      <span class="level">{labels[level]}</span>
      <span>
        {text}{' '}
        <span class="faint">
          {placeText(src, line, column)}
          {' · '}
          <code>{code}</code>
        </span>
      </span>
    </li>
  )
}

function placeText(src: string, line: number | null, column: number | null): string {
  const places = [line === null ? '' : `line ${line}`, column === null ? '' : `column ${column}`]
  return [src, ...places].filter((text) => text !== '').join(', ')
}
