import { json, stream } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import { render } from '../render/render.ts'
import { requestedOf } from '../render/representation.ts'
import { viewOf } from '../render/view-of.ts'
import { registry } from '../resources/index.ts'
import { paginationOf } from './pagination.ts'
import {
  isList,
  isPending,
  isPresented,
  type Presented,
  type PresentedList,
  type PresentedPending,
  type PresentedRecord,
} from './presented.ts'
import { shownUrl } from './shown-query.ts'

/** Renders the result of an endpoint. */
export async function renderPresented(presented: Presented, call: Call) {
  if (isPending(presented)) return json(await renderPending(presented, call), 202)
  if (isList(presented)) return json(await renderList(presented, call))
  const rendered = await renderRecord(presented, call)
  return presented.write
    ? stream(presented.write(rendered), 'application/json')
    : json(rendered, presented.status)
}

async function renderList({ collection, records, page }: PresentedList, call: Call) {
  const { shape, include } = requestedOf({ collection }, call)
  const { method } = call.request
  const url = shownUrl(call.request.url)
  const view = viewOf(call, include)
  return {
    '@type': collection.type,
    // After a change there is no path to read the list again.
    ...(['GET', 'HEAD'].includes(method) ? { '@href': view.href(url) } : {}),
    '@representation': shape.representation,
    ...(page ? { '@pagination': paginationOf(page, url, view.href) } : {}),
    [collection.type]: await render(registry, view, collection.of, records as never[], shape),
  }
}

async function renderRecord(presented: PresentedRecord, call: Call) {
  const { resource, shape, include } = requestedOf(presented, call)
  const view = viewOf(call, include)
  const [rendered = {}] = await render(registry, view, resource, [presented.model as never], shape)
  return rendered
}

async function renderPending({ type, members }: PresentedPending, call: Call) {
  const rendered = await Promise.all(
    Object.entries(members).map(async ([name, value]) => {
      const isRecord = isPresented(value) && !isList(value) && !isPending(value)
      return [name, isRecord ? await renderRecord(value, call) : value] as const
    }),
  )
  return { '@type': 'pending', ...Object.fromEntries(rendered), resource_type: type }
}
