import type { User } from '../../../domain/owner.ts'
import type { FeedToken, ListedToken } from '../../../store/tokens/listed-tokens.ts'
import { Fact, Facts, TimeFact } from '../parts/facts.tsx'
import { Form } from '../parts/form.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Refusal } from '../parts/notices.tsx'
import { Pager, type Paging } from '../parts/pager.tsx'
import { LastUse, Time } from '../parts/time.tsx'
import { homePath, logoutPath, profilePath } from '../paths.ts'
import { NewTokenForm } from './new-token-form.tsx'
import { TokenItem } from './token-item.tsx'

/** A token that was just made, which is shown only once. */
export interface MadeToken {
  name: string
  token: string
}

interface ProfilePageProps {
  frame: Frame
  now: Date
  user: User
  tokens: readonly ListedToken[]
  /** The token for feeds; undefined if there is none. */
  feed: FeedToken | undefined
  paging: Paging
  /** Whether the viewer can see, make and revoke tokens. */
  canManage: boolean
  /** Whether the service can read from the code host for this user. */
  isConnected: boolean
  made: MadeToken | null
}

/** A user's own data: the login, the tokens, and the data from the code host. */
export function ProfilePage(props: ProfilePageProps) {
  const { frame, now, user, tokens, feed, paging, canManage, isConnected, made } = props
  const { prefix, viewer } = frame
  return (
    <Layout
      {...frame}
      title="Profile"
      crumbs={[{ text: 'Repositories', href: homePath(prefix) }, { text: 'Profile' }]}
    >
      <h1>
        <bdi>{user.login}</bdi>
      </h1>
      {made && <Made {...made} />}
      <Account user={user} now={now} isConnected={isConnected} />
      <Form viewer={viewer} action={profilePath(prefix, '/sync')}>
        <button disabled={user.is_syncing}>Sync my repositories</button>
      </Form>
      <h2 id="tokens">Access tokens</h2>
      {canManage ? (
        <>
          {tokens.length === 0 ? (
            <p>There are none.</p>
          ) : (
            <ul class="items">
              {tokens.map((token) => (
                <TokenItem frame={frame} now={now} token={token} />
              ))}
            </ul>
          )}
          <Pager {...paging} path={profilePath(prefix)} />
          <h2 id="new">A new token</h2>
          <NewTokenForm frame={frame} />
          <FeedTokenForm frame={frame} now={now} feed={feed} />
        </>
      ) : (
        <p>This session uses a restricted token, which cannot manage tokens.</p>
      )}
      <h2 id="end">The end</h2>
      <Form viewer={viewer} action={logoutPath(prefix)}>
        <button>Log out</button>
      </Form>
      {canManage && (
        <Form viewer={viewer} action={profilePath(prefix, '/revoke_all')}>
          <p>If one of your tokens or sessions may be compromised:</p>
          <button>Revoke all tokens, and log out everywhere else</button>
        </Form>
      )}
    </Layout>
  )
}

function FeedTokenForm({ frame, now, feed }: Pick<ProfilePageProps, 'frame' | 'now' | 'feed'>) {
  const { prefix, viewer } = frame
  return (
    <>
      <h2 id="feeds">Feeds</h2>
      <Form viewer={viewer} action={profilePath(prefix, '/feed_token')}>
        <p>
          Feed readers and build monitors can read everything that you can see, at addresses such as{' '}
          <code>/repos/owner/name/builds.atom?token=…</code>. This token is valid for feeds and
          status images only.
        </p>
        {feed && (
          <p class="faint">
            You have one: made <Time at={feed.created_at} now={now} />,{' '}
            <LastUse at={feed.last_used_at} now={now} />.
          </p>
        )}
        <button>Make a token for feeds{feed && ', replacing the present one'}</button>
      </Form>
    </>
  )
}

function Made({ name, token }: MadeToken) {
  return (
    <section class="notice" role="status">
      <p>
        The token <bdi>{name}</bdi> is shown only once. Copy it now:
      </p>
      <pre id="made-token">{token}</pre>
    </section>
  )
}

function Account({
  user,
  now,
  isConnected,
}: Pick<ProfilePageProps, 'user' | 'now' | 'isConnected'>) {
  return (
    <>
      <Facts>
        {user.name !== null && (
          <Fact name="Name">
            <bdi>{user.name}</bdi>
          </Fact>
        )}
        {user.email !== null && (
          <Fact name="E-mail">
            <bdi>{user.email}</bdi>
          </Fact>
        )}
        {user.is_syncing ? (
          <Fact name="Repositories">are being looked up</Fact>
        ) : (
          <TimeFact name="Repositories looked up" at={user.synced_at} now={now} />
        )}
      </Facts>
      {!isConnected && (
        <Refusal>
          Your authorization at the code host has expired. Log out and in again to sync your
          repositories.
        </Refusal>
      )}
    </>
  )
}
