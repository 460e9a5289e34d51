import type { ComponentChildren } from 'preact'
import { loginScript } from '../assets.ts'
import { refused } from '../parts/field.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Refusal } from '../parts/notices.tsx'
import { homePath, scriptPath } from '../paths.ts'

interface LoginFormProps {
  frame: Frame
  /** The target of the form. */
  action: string
  /** Hidden fields: the login's target, and the proof that the form is this service's. */
  hidden: Readonly<Record<string, string>>
  /** The origin that gets the token; undefined for the service's own pages, which get a session. */
  origin?: string | undefined
  problem?: string | undefined
}

/** Asks for a token of this service, for a page that then gets a new token, or for its own pages. */
export function LoginForm({ frame, action, hidden, origin, problem }: LoginFormProps) {
  const isForOthers = origin !== undefined
  return (
    <LoginFrame frame={frame} title="Log in" script={isForOthers}>
      {isForOthers && (
        <p>
          <bdi>{origin}</bdi> asks to act for you. It receives its own token with the same
          permissions as yours.
        </p>
      )}
      {problem !== undefined && <Refusal id="problem">{problem}</Refusal>}
      <form {...(isForOthers ? waiting : {})} class="given" method="post" action={action}>
        <Hidden fields={hidden} />
        <label for="token">Your token</label>
        <input
          id="token"
          type="password"
          name="codehost_token"
          autocomplete="off"
          required
          {...refused(problem)}
        />
        <p class="faint">
          <code>build-service token</code> creates one.
        </p>
        <button class="main">Log in</button>
      </form>
    </LoginFrame>
  )
}

/** The id by which the script finds a form that waits within a frame. */
const waiting = { id: 'waiting' }

interface LoginChoiceProps {
  frame: Frame
  /** The URL where the login at the code host begins. */
  href: string
  /** The page that asks for a token of this service instead. */
  tokenHref: string
  /** Host name of the code host. */
  host: string
}

/** Leads to the code host. Uses a link, because a form must not lead to other origins. */
export function LoginChoice({ frame, href, tokenHref, host }: LoginChoiceProps) {
  return (
    <LoginFrame frame={frame} title="Log in" script={false}>
      <p>
        The code host asks whether this service may identify you. The service then shows the
        repositories that you can see there.
      </p>
      <p>
        <a class="button" href={href}>
          Log in with <bdi>{host}</bdi>
        </a>
      </p>
      <p>
        Or <a href={tokenHref}>with a token of this service</a>.
      </p>
    </LoginFrame>
  )
}

interface HandoverProps {
  frame: Frame
  target: string
  token: string
  /** JSON of the user. */
  user: string
}

/** Sends the new token to the requesting page in a form, because URLs must not contain tokens. */
export function Handover({ frame, target, token, user }: HandoverProps) {
  return (
    <LoginFrame frame={frame} title="Logged in">
      <form class="handover given" method="post" action={target}>
        <Hidden fields={{ token, user, storage: 'localStorage' }} />
        <p>
          You are logged in for <bdi>{new URL(target).origin}</bdi>.
        </p>
        <button class="main">Continue</button>
      </form>
    </LoginFrame>
  )
}

interface MessageProps {
  frame: Frame
  origin: string
  token: string
  user: string
}

/** Sends the new token in a message to the page that opened this one. */
export function Message({ frame, origin, token, user }: MessageProps) {
  return (
    <LoginFrame frame={frame} title="Logged in">
      <p id="message" data-origin={origin} data-token={token} data-user={user}>
        You are logged in for <bdi>{origin}</bdi>. This window can be closed.
      </p>
    </LoginFrame>
  )
}

interface MessageFrameProps {
  frame: Frame
  /** URL of the frame. The script loads it once it listens for messages. */
  source: string
}

/** Logs in without a question if the code host does not need to ask one either. */
export function MessageFrame({ frame, source }: MessageFrameProps) {
  return (
    <LoginFrame frame={frame} title="Logging in">
      <p>This takes a moment.</p>
      <iframe id="attempt" title="Login at the code host" data-source={source} hidden />
    </LoginFrame>
  )
}

interface LoginRefusedProps {
  frame: Frame
  title: string
  reason: string
  /** The next steps. */
  advice: string
}

export function LoginRefused({ frame, title, reason, advice }: LoginRefusedProps) {
  return (
    <LoginFrame frame={frame} title={title} script={false}>
      <p>{reason}</p>
      <p>{advice}</p>
    </LoginFrame>
  )
}

interface LoginFrameProps {
  frame: Frame
  title: string
  script?: boolean
  children: ComponentChildren
}

function LoginFrame({ frame, title, script = true, children }: LoginFrameProps) {
  const { prefix } = frame
  return (
    <Layout
      {...frame}
      title={title}
      crumbs={[{ text: 'Repositories', href: homePath(prefix) }, { text: title }]}
      {...(script ? { script: scriptPath(prefix, loginScript) } : {})}
    >
      <h1>{title}</h1>
      {children}
    </Layout>
  )
}

function Hidden({ fields }: { fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
