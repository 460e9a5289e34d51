import type { RequestMessage } from '../../domain/request.ts'
import { Level, levelClass } from './level.tsx'

/** What was found in the build file, with the places (CF-11). */
export function Findings({ messages }: { messages: readonly RequestMessage[] }) {
  return <ul class="findings">{messages.map(Row)}</ul>
}

function Row({ level, text, code, src, line, column }: RequestMessage) {
  return (
    <li class={levelClass(level)}>
      <Level level={level} />
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
