import type { RequestMessage } from '../../../domain/request.ts'
import { plural } from '../../../lint/counts.ts'
import { Level, levelClass } from '../parts/level.tsx'
import { codePath } from '../paths.ts'

/** No one reads more of them at once. */
const mostFindings = 300

interface FindingsProps {
  prefix: string
  messages: readonly RequestMessage[]
}

/** The findings in the build file, with their locations (CF-11). */
export function Findings({ prefix, messages }: FindingsProps) {
  return (
    <>
      <ul class="findings">
        {messages.slice(0, mostFindings).map((message) => (
          <Row prefix={prefix} message={message} />
        ))}
      </ul>
      {messages.length > mostFindings && (
        <p class="faint">
          {plural(messages.length - mostFindings, 'more finding')}: fix these first, or run{' '}
          <code>build-service lint</code> to see all
        </p>
      )}
    </>
  )
}

function Row({ prefix, message }: { prefix: string; message: RequestMessage }) {
  const { level, text, code, src, line, column } = message
  return (
    <li class={levelClass(level)}>
      <Level level={level} />
      <span>
        {text}{' '}
        <span class="faint">
          {locationText(src, line, column)}
          {' · '}
          <a href={codePath(prefix, code)}>
            <code>{code}</code>
          </a>
        </span>
      </span>
    </li>
  )
}

function locationText(src: string, line: number | null, column: number | null): string {
  const places = [line === null ? '' : `line ${line}`, column === null ? '' : `column ${column}`]
  return [src, ...places].filter((text) => text !== '').join(', ')
}
