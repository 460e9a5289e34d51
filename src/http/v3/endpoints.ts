import { get, post } from '../endpoint.ts'
import { home } from './home.ts'
import { lint } from './lint.ts'
import { oneRepository, repositoryPaths, repositoryTemplates } from './one-repository.ts'
import { as } from './present.ts'
import { action } from './action.ts'
import { repository } from './resources/repository.ts'

const serverType = ['repository.server_type', 'server_type']

/** What can be done with each resource: the endpoint, and how the home document tells of it. */
const actions = [
  action('repository', 'find', {
    templates: repositoryTemplates(),
    params: ['include', ...serverType],
    endpoint: get(repositoryPaths(), {
      ...oneRepository,
      right: 'read',
      present: as(repository, serverType),
    }),
  }),
  action('lint', 'lint', {
    templates: ['/lint'],
    params: ['content'],
    endpoint: post('/lint', lint),
  }),
]

/** Every endpoint of V3. */
export const v3Endpoints = [
  get('/', { answer: (call) => home(call, actions) }),
  ...actions.map(({ endpoint }) => endpoint),
]
