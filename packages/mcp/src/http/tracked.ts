/** Tells once when an answer's body has ended: read to its end, broken, or given up by the client. */
export function tracked(response: Response, onEnd: () => void): Response {
  const { body } = response;
  if (body === null) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  let told = false;
  const end = () => {
    if (!told) onEnd();
    told = true;
  };
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (thrown) {
          end();
          throw thrown;
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
  return new Response(watched, { status: response.status, headers: response.headers });
}
