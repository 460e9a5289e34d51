import type { ComponentChildren } from 'preact'
import { stateClass } from './state-badge.tsx'

/** Problems with how changes reach the service and results get back, a sentence each. */
export function Notices({ children: notices }: { children: readonly string[] }) {
  return (
    <>
      {notices.map((notice) => (
        <div class={`notice ${stateClass('errored')}`} role="note">
          <bdi>{notice}</bdi>
        </div>
      ))}
    </>
  )
}

interface RefusalProps {
  id?: string
  children: ComponentChildren
  /** Whether the page keeps it when its live parts are replaced. */
  'data-kept'?: boolean
}

/** Why the last call of the user was refused: in the colour of failures, and announced. */
export function Refusal({ children, ...rest }: RefusalProps) {
  return (
    <p class={`notice said ${stateClass('failed')}`} role="alert" {...rest}>
      {children}
    </p>
  )
}
