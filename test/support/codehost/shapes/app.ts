import type { Installation } from '../tables.ts'
import type { World } from '../world.ts'
import { account } from './account.ts'
import { type Answer, nodeId, timestamp } from './answer.ts'

export function app(world: World): NonNullable<Answer<'apps', 'getAuthenticated'>> {
  const { id, slug, name, clientId, owner, permissions, events, created_at } = world.app
  return {
    id,
    slug,
    node_id: nodeId('Integration', id),
    client_id: clientId,
    name,
    owner: account(world, owner),
    description: '',
    external_url: 'https://ci.example.org',
    html_url: `${world.url}/apps/${slug}`,
    created_at: timestamp(created_at),
    updated_at: timestamp(created_at),
    permissions,
    events: [...events],
    installations_count: world.tables.installations.length,
  }
}

export function installation(world: World, given: Installation): Answer<'apps', 'getInstallation'> {
  const { id, repository_selection, permissions, events, suspended_at } = given
  return {
    id,
    account: account(world, given.account),
    repository_selection,
    access_tokens_url: `${world.apiUrl}/app/installations/${id}/access_tokens`,
    repositories_url: `${world.apiUrl}/installation/repositories`,
    html_url: `${world.url}/settings/installations/${id}`,
    app_id: world.app.id,
    app_slug: world.app.slug,
    client_id: world.app.clientId,
    target_id: given.account.id,
    target_type: given.account.type,
    permissions,
    events: [...events],
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    created_at: timestamp(given.created_at),
    updated_at: timestamp(given.updated_at),
    suspended_by: suspended_at ? account(world, given.account) : null,
    suspended_at: suspended_at ? timestamp(suspended_at) : null,
  }
}
