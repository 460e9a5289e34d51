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
