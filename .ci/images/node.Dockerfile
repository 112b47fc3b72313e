# Local stand-in for the official image of Node.js, see .ci/engine.
FROM fleetgate-stand-in-base
COPY node/bin/node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
CMD ["node"]
