import type { Probot } from 'probot'
import type {
  AccountEvent,
  AuthorizationEvent,
  CodehostEvent,
  InstallationEvent,
  OrganizationEvent,
  TeamEvent,
} from '../domain/event.ts'
import { accountEvent, authorizationEvent } from './account.ts'
import { checkAction, checkRunRerequest, checkSuiteRerequest } from './check.ts'
import { installationEvent, repositoriesEvent } from './installation.ts'
import { memberEvent, organizationEvent, teamEvent } from './member.ts'
import { mergeGroupEvent } from './merge-group.ts'
import type { Origin } from './payload.ts'
import { pullRequestEvent } from './pull-request.ts'
import { pushEvent } from './push.ts'
import { refEvent } from './ref.ts'
import { repositoryEvent } from './repository.ts'

/** Every kind of event. */
export type AnyEvent =
  | CodehostEvent
  | InstallationEvent
  | AccountEvent
  | AuthorizationEvent
  | OrganizationEvent
  | TeamEvent

/** What the bot needs from the service: the origin of an event, and the function that handles it. */
export interface BotEnvironment {
  /** The origin of the delivery in progress. */
  origin(): Origin
  receive(event: AnyEvent): Promise<void>
}

/** Translates the code host's events into ours; the reactions to them are decided elsewhere. */
export function bot(app: Probot, { origin, receive: receiveAny }: BotEnvironment): void {
  /** A payload without its subject is not an event. */
  const receive = async (event: AnyEvent | undefined) => {
    if (event) await receiveAny(event)
  }

  app.on('push', ({ payload }) => receive(pushEvent(payload, origin())))
  app.on('pull_request', ({ payload }) => receive(pullRequestEvent(payload, origin())))
  app.on('merge_group', ({ payload }) => receive(mergeGroupEvent(payload, origin())))
  app.on('create', ({ payload }) => receive(refEvent(payload, true, origin())))
  app.on('delete', ({ payload }) => receive(refEvent(payload, false, origin())))
  app.on('repository', ({ payload }) => receive(repositoryEvent(payload, origin())))
  app.on('installation', ({ payload }) => receive(installationEvent(payload, origin())))
  app.on('installation_repositories', ({ payload }) =>
    receive(repositoriesEvent(payload, origin())),
  )
  app.on('installation_target', ({ payload }) => receive(accountEvent(payload, origin())))
  app.on('github_app_authorization', ({ payload }) =>
    receive(authorizationEvent(payload, origin())),
  )
  app.on('member', ({ payload }) => receive(memberEvent(payload, origin())))
  app.on('organization', ({ payload }) => receive(organizationEvent(payload, origin())))
  app.on('membership', ({ payload }) => receive(teamEvent(payload, origin())))
  app.on('team', ({ payload }) => receive(teamEvent(payload, origin())))
  // Other actions of checks are echoes of our own posts.
  app.on('check_run.rerequested', ({ payload }) => receive(checkRunRerequest(payload, origin())))
  app.on('check_suite.rerequested', ({ payload }) =>
    receive(checkSuiteRerequest(payload, origin())),
  )
  app.on('check_run.requested_action', ({ payload }) => receive(checkAction(payload, origin())))
}
