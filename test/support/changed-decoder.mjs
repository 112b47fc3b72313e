/** The decoder of Teltonika with an attribute less (rssi), one more, and another speed. */
export const changedDecoder = (catalogue, attribute) => ({
  ...catalogue,
  byId(id) {
    const protocol = catalogue.byId(id);
    return {
      ...protocol,
      decode(...given) {
        const decoded = protocol.decode(...given);
        const messages = decoded.messages.map((message) => {
          if (message.type !== 'position') return message;
          const { rssi: _, ...attributes } = message.attributes;
          return { ...message, speed: (message.speed ?? 0) + 1, attributes: { ...attributes, [attribute]: true } };
        });
        return { ...decoded, messages };
      },
    };
  },
});
