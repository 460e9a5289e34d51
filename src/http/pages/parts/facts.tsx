import type { ComponentChildren } from 'preact'
import { Time } from './time.tsx'

/** A list of facts, each with its name. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The time of an event; nothing if it has not happened. */
export function TimeFact({ name, at, now }: { name: string; at: Date | null; now: Date }) {
  if (at === null) return null
  return (
    <Fact name={name}>
      <Time at={at} now={now} />
    </Fact>
  )
}
