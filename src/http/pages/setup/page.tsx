import type { ComponentChildren } from 'preact'
import type { AppManifest } from '../../../domain/registered-app.ts'
import { refused } from '../parts/field.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Refusal } from '../parts/notices.tsx'
import { homePath, setupPath } from '../paths.ts'

interface CodeFormProps {
  frame: Frame
  /** Host name of the code host. */
  host: string
  problem?: string | undefined
}

/** Asks for the code in the log, so that only the service's operator can register an app. */
export function CodeForm({ frame, host, problem }: CodeFormProps) {
  return (
    <SetupFrame frame={frame} title="Set up the app">
      <p>
        The service is an app at <bdi>{host}</bdi>, which it registers there with the permissions
        and events that it needs. You can change its name there.
      </p>
      {problem !== undefined && <Refusal id="problem">{problem}</Refusal>}
      <form class="given" method="post" action={setupPath(frame.prefix, '/app')}>
        <label for="code">Setup code</label>
        <input id="code" name="code" autocomplete="off" required {...refused(problem)} />
        <p class="faint">The log of the service shows it when the service starts.</p>
        <label for="organization">Organization that owns the app</label>
        <input id="organization" name="organization" autocomplete="off" />
        <p class="faint">
          If empty, you own it. The app can be installed only on the account of its owner, so no one
          else can run builds here.
        </p>
        <button class="main">Continue</button>
      </form>
    </SetupFrame>
  )
}

interface ManifestFormProps {
  frame: Frame
  host: string
  /** The target of the form. */
  action: string
  manifest: AppManifest
}

/** Takes the browser to the code host, with the manifest to register. */
export function ManifestForm({ frame, host, action, manifest }: ManifestFormProps) {
  return (
    <SetupFrame frame={frame} title="Register the app">
      <p>
        Webhooks will be sent to <code>{manifest.hook_attributes.url}</code>, and you will return to{' '}
        <code>{manifest.redirect_url}</code>.
      </p>
      <form class="given" method="post" action={action}>
        <input type="hidden" name="manifest" value={JSON.stringify(manifest)} />
        <button class="main">Register it at {host}</button>
      </form>
    </SetupFrame>
  )
}

interface RegisteredProps {
  frame: Frame
  /** The app with its page at the code host; undefined if the settings name the app. */
  app: { html_url: string } | undefined
}

export function Registered({ frame, app }: RegisteredProps) {
  return (
    <SetupFrame frame={frame} title="The app is set up">
      <p>No restart is needed.</p>
      {app && (
        <p>
          <a class="main" href={`${app.html_url}/installations/new`}>
            Install the app on the repositories that you want to build
          </a>
        </p>
      )}
    </SetupFrame>
  )
}

interface SetupProblemProps {
  frame: Frame
  title: string
  reason: string
  advice: string
  /** URL to try again. */
  again?: string | undefined
}

export function SetupProblem({ frame, title, reason, advice, again }: SetupProblemProps) {
  return (
    <SetupFrame frame={frame} title={title}>
      <p>
        <bdi>{reason}</bdi>
      </p>
      <p>{advice}</p>
      {again !== undefined && (
        <p>
          <a href={again}>Try again</a>
        </p>
      )}
    </SetupFrame>
  )
}

interface SetupFrameProps {
  frame: Frame
  title: string
  children: ComponentChildren
}

function SetupFrame({ frame, title, children }: SetupFrameProps) {
  return (
    <Layout
      {...frame}
      title={title}
      crumbs={[{ text: 'Repositories', href: homePath(frame.prefix) }, { text: title }]}
    >
      <h1>{title}</h1>
      {children}
    </Layout>
  )
}
