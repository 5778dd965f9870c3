import { type Fields, listOf, recordOf } from '@varve/guards';
import { cutPieces } from '../anthropic/stream.ts';

/** The events of a response: created, its items piece by piece, completed; numbered in their order. */
export function responseEvents(response: Fields, deltaCharacters: number): readonly string[] {
  const pending = {
    ...response,
    status: 'in_progress',
    output: [],
    usage: null,
    completed_at: null,
  };
  const items = listOf(response.output).map(recordOf);
  const last = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
  const events: Fields[] = [
    { type: 'response.created', response: pending },
    { type: 'response.in_progress', response: pending },
    ...items.flatMap((item, index) => itemEvents(item, index, deltaCharacters)),
    { type: last, response },
  ];
  return events.map((event, sequence_number) => {
    const { type, ...rest } = event;
    return `event: ${String(type)}\ndata: ${JSON.stringify({ type, sequence_number, ...rest })}\n\n`;
  });
}

function itemEvents(item: Fields, output_index: number, characters: number): Fields[] {
  const at = { item_id: item.id, output_index };
  return [
    { type: 'response.output_item.added', output_index, item: opened(item) },
    ...insideEvents(item, characters).map(({ type, ...rest }) => ({ type, ...at, ...rest })),
    { type: 'response.output_item.done', output_index, item },
  ];
}

function opened(item: Fields): Fields {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'reasoning':
      return { ...item, summary: [] };
    default:
      return item;
  }
}

function insideEvents(item: Fields, characters: number): Fields[] {
  if (item.type === 'message') {
    return listOf(item.content).flatMap((part, index) =>
      textEvents(recordOf(part), index, characters),
    );
  }
  if (item.type === 'reasoning') {
    return listOf(item.summary).flatMap((part, index) =>
      summaryEvents(recordOf(part), index, characters),
    );
  }
  if (item.type !== 'function_call') return [];
  return [
    ...cutPieces(String(item.arguments), characters).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      delta,
    })),
    {
      type: 'response.function_call_arguments.done',
      name: item.name,
      arguments: item.arguments,
    },
  ];
}

function textEvents(part: Fields, content_index: number, characters: number): Fields[] {
  const name = 'response.output_text';
  const deltas = cutPieces(String(part.text), characters);
  return [
    { type: 'response.content_part.added', content_index, part: { ...part, text: '' } },
    ...deltas.map((delta) => ({ type: `${name}.delta`, content_index, delta, logprobs: [] })),
    { type: `${name}.done`, content_index, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', content_index, part },
  ];
}

function summaryEvents(part: Fields, summary_index: number, characters: number): Fields[] {
  const name = 'response.reasoning_summary';
  const deltas = cutPieces(String(part.text), characters);
  return [
    { type: `${name}_part.added`, summary_index, part: { ...part, text: '' } },
    ...deltas.map((delta) => ({ type: `${name}_text.delta`, summary_index, delta })),
    { type: `${name}_text.done`, summary_index, text: part.text },
    { type: `${name}_part.done`, summary_index, part },
  ];
}
