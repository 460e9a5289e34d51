import { refTo } from '../openapi/schema.ts'
import { type Action, actionsOf, get } from './core/action.ts'
import { home } from './home.ts'
import { actions } from './resources/index.ts'

const homeActions = actionsOf(
  { type: 'home' },
  {
    find: get('/', {
      open: true,
      docs: {
        summary:
          'how to connect, every error, and every resource with its actions, attributes and rights',
        schema: refTo('home'),
      },
      answer: home,
    }),
  },
)

/** Every action of V3, including the one of the home document. */
export const v3Actions: readonly Action[] = [...homeActions, ...actions]

/** Every endpoint of V3. */
export const v3Endpoints = v3Actions.map(({ endpoint }) => endpoint)
