import type { ComponentChildren } from 'preact'
import { actionPath } from '../paths.ts'

export interface ApiCall {
  method: string
  /** Without the installation's prefix. */
  path: string
  /** The members of the body, if there is one. */
  body?: object
  /** The action of V3, whose page of the documentation has a form to try it. */
  action: { resource: string; name: string }
  /** The effect of the call, in a few words. */
  does: string
}

interface SameByApiProps {
  prefix: string
  /** The scope that a token needs. */
  scope: 'builds' | 'settings'
  calls: readonly ApiCall[]
  /** Who else can send the form. */
  children?: ComponentChildren
}

/** The calls of the API that do what the forms of a page do. */
export function SameByApi({ prefix, scope, calls, children }: SameByApiProps) {
  return (
    <details class="card">
      <summary>The same by API</summary>
      {children}
      <ul class="calls">
        {calls.map(({ method, path, body, action, does }) => (
          <li>
            <code>
              {method} {prefix}
              {path}
            </code>{' '}
            <a href={actionPath(prefix, action)}>{does}</a>
            {body && <pre>{JSON.stringify(body)}</pre>}
          </li>
        ))}
      </ul>
      <p class="faint">
        With the headers <code>Service-API-Version: 3</code> and <code>Authorization: token …</code>
        . The token needs the scope <code>{scope}</code>, and its user push access.
      </p>
    </details>
  )
}
