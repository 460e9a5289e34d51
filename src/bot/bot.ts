import type { Probot } from 'probot'
import type { AccountEvent, CodehostEvent, InstallationEvent } from '../domain/event.ts'
import { accountEvent } from './account.ts'
import { checkRunRerequest, checkSuiteRerequest } from './check.ts'
import { installationEvent, repositoriesEvent } from './installation.ts'
import { mergeGroupEvent } from './merge-group.ts'
import type { Origin } from './payload.ts'
import { pullRequestEvent } from './pull-request.ts'
import { pushEvent } from './push.ts'
import { refEvent } from './ref.ts'
import { repositoryEvent } from './repository.ts'

/** Any event that there is. */
export type AnyEvent = CodehostEvent | InstallationEvent | AccountEvent

/** What the bot needs from the service: the origin of an event, and the function that handles it. */
export interface BotEnvironment {
  /** The origin of the delivery that is being received. */
  origin(): Origin
  receive(event: AnyEvent): Promise<void>
}

/** Translates the code host's events into ours; what they mean is decided elsewhere. */
export function bot(app: Probot, { origin, receive }: BotEnvironment): void {
  app.on('push', ({ payload }) => receive(pushEvent(payload, origin())))
  app.on('pull_request', ({ payload }) => receive(pullRequestEvent(payload, origin())))
  app.on('merge_group', async ({ payload }) => {
    const event = mergeGroupEvent(payload, origin())
    if (event) await receive(event)
  })
  app.on('create', ({ payload }) => receive(refEvent(payload, true, origin())))
  app.on('delete', ({ payload }) => receive(refEvent(payload, false, origin())))
  app.on('repository', ({ payload }) => receive(repositoryEvent(payload, origin())))
  app.on('installation', ({ payload }) => receive(installationEvent(payload, origin())))
  app.on('installation_repositories', ({ payload }) =>
    receive(repositoriesEvent(payload, origin())),
  )
  app.on('installation_target', async ({ payload }) => {
    const event = accountEvent(payload, origin())
    if (event) await receive(event)
  })
  // Other actions of checks are mostly echoes of what we post.
  app.on('check_run.rerequested', ({ payload }) => receive(checkRunRerequest(payload, origin())))
  app.on('check_suite.rerequested', ({ payload }) =>
    receive(checkSuiteRerequest(payload, origin())),
  )
}
