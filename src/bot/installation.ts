import type { Context } from 'probot'
import type { InstallationEvent, InstalledRepository } from '../domain/event.ts'
import type { InstallationFacts } from '../domain/installation.ts'
import { type Origin, senderFacts } from './payload.ts'

type InstallationPayload = Context<'installation'>['payload']
type RepositoriesPayload = Context<'installation_repositories'>['payload']

export function installationEvent(
  payload: InstallationPayload,
  { delivery_id }: Origin,
): InstallationEvent {
  return {
    type: 'installation',
    delivery_id,
    action: actionOf(payload.action),
    sender: senderFacts(payload.sender),
    installation: installationFacts(payload.installation),
    // The event of a deleted installation also lists its repositories.
    added: payload.action === 'created' ? installedRepositories(payload.repositories) : [],
    removed: [],
  }
}

export function repositoriesEvent(
  payload: RepositoriesPayload,
  { delivery_id }: Origin,
): InstallationEvent {
  return {
    type: 'installation',
    delivery_id,
    action: 'put',
    sender: senderFacts(payload.sender),
    installation: installationFacts(payload.installation),
    added: installedRepositories(payload.repositories_added),
    removed: payload.repositories_removed.flatMap(({ id }) => id ?? []),
  }
}

function actionOf(action: InstallationPayload['action']): InstallationEvent['action'] {
  if (action === 'deleted') return 'deleted'
  return action === 'suspend' ? 'suspended' : 'put'
}

interface AnyInstallation {
  id: number
  account: { id: number; login?: string; type?: string } | null
  target_type: string
  repository_selection: 'all' | 'selected'
  permissions: Record<string, string>
  events: string[]
  suspended_at?: string | null
}

function installationFacts(installation: AnyInstallation): InstallationFacts {
  const { id, account, repository_selection, permissions, events } = installation
  return {
    codehost_id: id,
    account: {
      codehost_id: account?.id ?? 0,
      login: account?.login ?? '',
      type: installation.target_type === 'Organization' ? 'Organization' : 'User',
    },
    repository_selection,
    permissions,
    events,
    suspended: (installation.suspended_at ?? null) !== null,
  }
}

type PayloadRepository = { id?: number; name?: string; private?: boolean }

function installedRepositories(
  repositories: readonly PayloadRepository[] = [],
): InstalledRepository[] {
  return repositories.flatMap(({ id, name, private: hidden }) =>
    // If unknown, the repository counts as private.
    id === undefined || name === undefined
      ? []
      : { codehost_id: id, name, private: hidden ?? true },
  )
}
