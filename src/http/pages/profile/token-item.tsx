import { scopesOf, seesPrivate } from '../../../access/scopes.ts'
import { endsSoon, whenItEnds } from '../../../domain/token-end.ts'
import type { ListedToken } from '../../../store/tokens/listed-tokens.ts'
import { Form } from '../parts/form.tsx'
import type { Frame } from '../parts/layout.tsx'
import { LastUse, Time } from '../parts/time.tsx'
import { profilePath } from '../paths.ts'

interface TokenItemProps {
  frame: Frame
  now: Date
  token: ListedToken
}

/** The details of a token, and a form to revoke it. */
export function TokenItem({ frame, now, token }: TokenItemProps) {
  const { id, name, created_at, last_used_at, repository_ids } = token
  return (
    <li class="item">
      <div>
        <p class="title">
          <bdi>{name ?? `token ${id}`}</bdi>
        </p>
        <p class="faint">
          for {scopesOf(token).join(', ')}; sees {seesPrivate(token) ? 'private' : 'public'} things
          {repository_ids && ` of ${repository_ids.length} repositories`}; made{' '}
          <Time at={created_at} now={now} />, <LastUse at={last_used_at} now={now} />;{' '}
          {endOf(token, now)}
        </p>
      </div>
      <Form viewer={frame.viewer} action={profilePath(frame.prefix, `/tokens/${id}/revoke`)}>
        <button>
          Revoke<span class="unseen"> {name ?? `token ${id}`}</span>
        </button>
      </Form>
    </li>
  )
}

/** When a token expires, with a warning in advance. */
function endOf(
  { created_at, expires_at, ends_at }: Pick<ListedToken, 'created_at' | 'expires_at' | 'ends_at'>,
  now: Date,
): string {
  if (expires_at === null) return 'does not end'
  const warning = endsSoon({ created_at, expires_at }, now) ? 'ends soon: ' : 'ends '
  return `${warning}${whenItEnds(expires_at, now)}${ends_at === null ? ', unless it is used' : ''}`
}
