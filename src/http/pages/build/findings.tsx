import { type RequestMessage, sourceName } from '../../../domain/request/request.ts'
import { Level, levelClass } from '../parts/level.tsx'
import { MoreFindings, mostFindings } from '../parts/more-findings.tsx'
import { codePath } from '../paths.ts'

interface FindingsProps {
  prefix: string
  messages: readonly RequestMessage[]
}

/** Place of findings about the file as a whole: after the others. */
const noLine = Number.MAX_SAFE_INTEGER

/** The findings in the build file, in the order of their lines (CF-11). */
export function Findings({ prefix, messages }: FindingsProps) {
  const inOrder = messages.toSorted((a, b) => (a.line ?? noLine) - (b.line ?? noLine))
  return (
    <>
      <ul class="findings">
        {inOrder.slice(0, mostFindings).map((message) => (
          <Row prefix={prefix} message={message} />
        ))}
      </ul>
      <MoreFindings count={messages.length}>
        , or run <code>build-service lint</code> to see all
      </MoreFindings>
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
  return [sourceName(src), ...places].filter((text) => text !== '').join(', ')
}
