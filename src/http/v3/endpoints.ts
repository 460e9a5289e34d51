import { get } from './action.ts'
import { home } from './home.ts'
import { actions } from './resources/index.ts'

/** Every endpoint of V3. */
export const v3Endpoints = [
  get('/', { open: true, answer: home }).endpoint,
  ...actions.map(({ endpoint }) => endpoint),
]
